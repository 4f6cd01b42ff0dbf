// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The options of all commands go through here, so that few files take the seconds of CLI11's
// headers.
#include "sim/cli/command.hpp"

#include <CLI/CLI.hpp>
#include <cmath>
#include <optional>

namespace ppu::sim {
namespace {

Check check_of(const CLI::Validator& validator) {
  return {[validator](std::string& word) { return validator(word); }, validator.get_description()};
}

}  // namespace

template <class Number>
Check in_range(Number low, Number high) {
  const CLI::Range range(low, high);
  return {[range](std::string& word) {
            double value = 0;
            const bool is_number = CLI::detail::lexical_cast(word, value);
            return is_number && std::isnan(value) ? "'" + word + "' is not a number" : range(word);
          },
          range.get_description()};
}
template Check in_range(std::uint32_t, std::uint32_t);
template Check in_range(std::int64_t, std::int64_t);
template Check in_range(double, double);

Check member_of(const std::vector<std::string>& words) {
  return check_of(CLI::IsMember(words));
}

Option Option::type_name(const std::string& name) const {
  return Option(option_->type_name(name));
}

Option Option::is_path(const std::string& type_name) const {
  const auto test = [](std::string& word) {
    return word.empty() ? "'' is not a path, expected a word that is not empty" : std::string();
  };
  return this->type_name(type_name).check({test, ""});
}

Option Option::description(const std::string& text) const {
  return Option(option_->description(text));
}

Option Option::capture_default_str() const {
  return Option(option_->capture_default_str());
}

Option Option::default_str(const std::string& text) const {
  return Option(option_->default_str(text));
}

Option Option::check(const Check& check) const {
  return Option(option_->check(CLI::Validator(check.test, check.in_help)));
}

Option Option::required(bool is_required) const {
  return Option(option_->required(is_required));
}

Option Option::needs(Option other) const {
  return Option(option_->needs(other.option_));
}

Option Option::excludes(Option other) const {
  return Option(option_->excludes(other.option_));
}

Option Option::expected_at_least(int words) const {
  return Option(option_->expected(words, CLI::detail::expected_max_vector_size));
}
Option Option::expected(int words) const {
  return Option(option_->expected(words));
}

Option Option::delimiter(char between) const {
  return Option(option_->delimiter(between));
}

Option Option::allow_extra_args(bool allowed) const {
  return Option(option_->allow_extra_args(allowed));
}

std::size_t Option::count() const {
  return option_->count();
}

template <class Value>
Option Command::add_option(const std::string& name, Value& value, const std::string& help) const {
  return Option(command_->add_option(name, value, help));
}
template Option Command::add_option(const std::string&, std::string&, const std::string&) const;
template Option Command::add_option(const std::string&, std::vector<std::string>&,
                                    const std::string&) const;
template Option Command::add_option(const std::string&, float&, const std::string&) const;
template Option Command::add_option(const std::string&, std::uint32_t&, const std::string&) const;
template Option Command::add_option(const std::string&, double&, const std::string&) const;
template Option Command::add_option(const std::string&, std::uint64_t&, const std::string&) const;
template Option Command::add_option(const std::string&, std::optional<std::string>&,
                                    const std::string&) const;
template Option Command::add_option(const std::string&, std::optional<float>&,
                                    const std::string&) const;
template Option Command::add_option(const std::string&, std::optional<double>&,
                                    const std::string&) const;

Option Command::add_reader(const std::string& name,
                           const std::function<void(const std::string&)>& read,
                           const std::string& help) const {
  return Option(command_->add_option_function<std::string>(name, read, help));
}

Option Command::add_flag(const std::string& name, bool& value, const std::string& help) const {
  return Option(command_->add_flag(name, value, help));
}

std::string Command::name() const {
  return command_->get_name();
}

Option Command::get_option(const std::string& name) const {
  return Option(command_->get_option(name));
}

void Command::remove_option(const std::string& name) const {
  command_->remove_option(command_->get_option(name));
}

void Command::callback(const std::function<void()>& run) const {
  command_->callback(run);
}

Command add_command(CLI::App& app, const std::string& name, const std::string& description) {
  return Command(app.add_subcommand(name, description));
}

bool read_number(const std::string& word, std::uint32_t& number) {
  return CLI::detail::lexical_cast(word, number);
}

}  // namespace ppu::sim
