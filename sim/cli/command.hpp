// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A command and its options, for all that adds some: CLI11 behind a header that costs nothing to
// include. Functions do what those of the same name do in CLI11. Both are handles, to be copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace ppu::sim {

/// What the word of an option must be: `test` gives what is wrong with it, or nothing.
struct Check {
  std::function<std::string(std::string&)> test;
  std::string in_help;  ///< Empty: nothing.
};

/// A number from `low` to `high`: std::uint32_t, std::int64_t or double.
template <class Number>
Check in_range(Number low, Number high);
/// One of `words`.
Check member_of(const std::vector<std::string>& words);

class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option type_name(const std::string& name) const;
  /// The name of a file or folder: any word but an empty one.
  Option is_path(const std::string& type_name) const;
  Option description(const std::string& text) const;
  /// Shows the value that it has now as its default.
  Option capture_default_str() const;
  Option default_str(const std::string& text) const;
  Option check(const Check& check) const;
  Option required(bool is_required = true) const;
  Option needs(Option other) const;
  Option excludes(Option other) const;
  Option expected(int words) const;
  /// It takes as many words as follow.
  Option expected_at_least(int words) const;
  Option delimiter(char between) const;
  Option allow_extra_args(bool allowed) const;
  [[nodiscard]] std::size_t count() const;

 private:
  CLI::Option* option_;
};

class Command {
 public:
  explicit Command(CLI::App* command) : command_(command) {}
  operator CLI::App&() const { return *command_; }

  /// Of the types that command.cpp lists.
  template <class Value>
  Option add_option(const std::string& name, Value& value, const std::string& help) const;
  /// `read` gets the word.
  Option add_reader(const std::string& name, const std::function<void(const std::string&)>& read,
                    const std::string& help) const;
  Option add_flag(const std::string& name, bool& value, const std::string& help) const;
  [[nodiscard]] std::string name() const;
  [[nodiscard]] Option get_option(const std::string& name) const;
  void remove_option(const std::string& name) const;
  void callback(const std::function<void()>& run) const;

 private:
  CLI::App* command_;
};

Command add_command(CLI::App& app, const std::string& name, const std::string& description);

/// The number from 0 in a word, as options take it; false if there is none.
bool read_number(const std::string& word, std::uint32_t& number);

}  // namespace ppu::sim
