// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "diagnostics.hpp"

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

void sort_by_place(std::vector<Diagnostic>& diagnostics) {
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [](const Diagnostic& a, const Diagnostic& b) {
                     return std::tie(a.line, a.column) < std::tie(b.line, b.column);
                   });
}

}  // namespace

std::string format(const Diagnostic& d) {
  const std::string line = printable(d.source_line);
  std::string text = d.file + ":" + std::to_string(d.line) + ":" + std::to_string(d.column) +
                     (d.warning ? ": warning: " : ": error: ") + d.reason + "\n  " + line + "\n  ";
  for (int i = 0; i + 1 < d.column; ++i) {
    const auto at = static_cast<std::size_t>(i);
    text += at < line.size() && line[at] == '\t' ? '\t' : ' ';
  }
  text += '^' + std::string(static_cast<std::size_t>(std::max(d.length, 1)) - 1, '~') + "\n";
  if (!d.hint.empty()) text += "hint: " + d.hint + "\n";
  return text;
}

AssemblyError::AssemblyError(std::vector<Diagnostic> list)
    : std::runtime_error(join(list)), diagnostics(std::move(list)) {
}

void Report::error(const Place& place, std::string reason, std::string hint) {
  errors_.push_back(diagnostic(place, std::move(reason), std::move(hint)));
}

void Report::warning(const Place& place, std::string reason, std::string hint) {
  warnings_.push_back(diagnostic(place, std::move(reason), std::move(hint)));
  warnings_.back().warning = true;
}

Diagnostic Report::diagnostic(const Place& place, std::string reason, std::string hint) const {
  Diagnostic d;
  d.file = file_;
  d.line = place.line;
  d.column = place.column;
  d.length = place.length;
  d.reason = std::move(reason);
  d.hint = std::move(hint);
  d.source_line = std::string(lines_.at(static_cast<std::size_t>(place.line) - 1));
  return d;
}

void Report::throw_if_any() {
  if (good()) return;
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
