// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Collects the errors and warnings of a source and finds the nearest known word for hints.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "firmware/assembler/assembler.hpp"
#include "firmware/assembler/codes.hpp"

namespace ppu::firmware {

/// A place in the source to complain about.
struct Place {
  int line = 0;
  int column = 1;
  int length = 1;
};

/// What helps besides the reason, all optional.
struct Help {
  std::string hint;
  std::string note;  ///< About another place ...
  Place place;       ///< ... this one.
};

class Report {
 public:
  Report(std::string_view file, const std::vector<std::string_view>& lines)
      : file_(file), lines_(lines) {}

  /// The line that `error(code, column, ...)` refers to from now on.
  void set_line(int line) { line_ = line; }
  [[nodiscard]] int line() const { return line_; }

  void error(Error code, int column, int length, std::string reason, std::string hint = {}) {
    error(code, Place{line_, column, length}, std::move(reason), {std::move(hint), {}, {}});
  }
  void error(Error code, const Place& place, std::string reason, Help help = {});
  void warning(Warning code, const Place& place, std::string reason, std::string hint);

  /// Throws AssemblyError with all errors, in the order of the text, if there is any.
  void throw_if_any();
  /// The warnings, in the order of the text.
  std::vector<Diagnostic> take_warnings();

 private:
  [[nodiscard]] Diagnostic made(std::string code, const Place& place, std::string reason,
                                Help help) const;
  [[nodiscard]] SourcePlace source_place(const Place& place) const;

  std::string file_;
  const std::vector<std::string_view>& lines_;
  std::vector<Diagnostic> errors_;
  std::vector<Diagnostic> warnings_;
  int line_ = 1;
};

/// "E012", "W001".
std::string code_of(Error error);
std::string code_of(Warning warning);

/// The text between backquotes, as messages show what stands in a program.
inline std::string quoted(std::string_view text) {
  return "`" + std::string(text) + "`";
}

/// "did you mean `WORD`?" with the candidate nearest to `word` by edit distance, or "" if none is
/// near.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace ppu::firmware
