// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "firmware/assembler/diagnostics.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace ppu::firmware {
namespace {

std::string join(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += format(diagnostic);
  return text;
}

/// Control characters would spoil the terminal and the caret line.
std::string printable(std::string_view line) {
  std::string text(line);
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 && c != '\t') c = '?';
  }
  return text;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

/// "  the line" and a caret line below it.
std::string snippet(const SourcePlace& place) {
  const std::string line = printable(place.text);
  std::string text = "  " + line + "\n  ";
  for (int i = 0; i + 1 < place.column; ++i) {
    const auto at = static_cast<std::size_t>(i);
    text += at < line.size() && line[at] == '\t' ? '\t' : ' ';
  }
  return text + '^' + std::string(static_cast<std::size_t>(std::max(place.length, 1)) - 1, '~') +
         "\n";
}

std::string head(const Diagnostic& d, const SourcePlace& place) {
  return d.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) + ": ";
}

/// 'E', 12 -> "E012"
std::string code_text(char kind, int number) {
  const std::string digits = std::to_string(number);
  return kind + std::string(3 - std::min<std::size_t>(digits.size(), 3), '0') + digits;
}

void sort_by_place(std::vector<Diagnostic>& diagnostics) {
  std::stable_sort(
      diagnostics.begin(), diagnostics.end(), [](const Diagnostic& a, const Diagnostic& b) {
        return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
      });
}

}  // namespace

std::string code_of(Error error) {
  return code_text('E', static_cast<int>(error));
}

std::string code_of(Warning warning) {
  return code_text('W', static_cast<int>(warning));
}

std::string format(const Diagnostic& d) {
  const char* const kind = d.code.front() == 'W' ? "warning" : "error";
  std::string text =
      head(d, d.place) + kind + "[" + d.code + "]: " + d.reason + "\n" + snippet(d.place);
  if (!d.hint.empty()) text += "hint: " + d.hint + "\n";
  if (!d.note.empty()) {
    text += head(d, d.note_place) + "note: " + d.note + "\n" + snippet(d.note_place);
  }
  return text;
}

AssemblyError::AssemblyError(std::vector<Diagnostic> list)
    : std::runtime_error(join(list)), diagnostics(std::move(list)) {
}

void Report::error(Error code, const Place& place, std::string reason, Help help) {
  errors_.push_back(made(code_of(code), place, std::move(reason), std::move(help)));
}

void Report::warning(Warning code, const Place& place, std::string reason, std::string hint) {
  warnings_.push_back(made(code_of(code), place, std::move(reason), {std::move(hint), {}, {}}));
}

Diagnostic Report::made(std::string code, const Place& place, std::string reason, Help help) const {
  Diagnostic d;
  d.code = std::move(code);
  d.file = file_;
  d.place = source_place(place);
  d.reason = std::move(reason);
  d.hint = std::move(help.hint);
  d.note = std::move(help.note);
  if (!d.note.empty()) d.note_place = source_place(help.place);
  return d;
}

SourcePlace Report::source_place(const Place& place) const {
  return {place.line, place.column, place.length,
          std::string(lines_.at(static_cast<std::size_t>(place.line) - 1))};
}

void Report::throw_if_any() {
  if (errors_.empty()) return;
  sort_by_place(errors_);
  throw AssemblyError(std::move(errors_));
}

std::vector<Diagnostic> Report::take_warnings() {
  sort_by_place(warnings_);
  return std::move(warnings_);
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates) {
  constexpr std::size_t kLongestWord = 32;  // Longer words are no slips of the pen.
  if (word.size() > kLongestWord) return {};
  std::size_t best = word.size() / 3 + 2;  // Distances from here on are no slips either.
  std::string_view nearest;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best && distance < candidate.size()) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest.empty() ? std::string() : "did you mean " + quoted(nearest) + "?";
}

}  // namespace ppu::firmware
