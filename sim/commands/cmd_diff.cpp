// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu diff A.h5 B.h5`: compare the solutions of two output files bit by bit.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>

#include "base/bits/float_bits.hpp"
#include "model/files/row_problem_file.hpp"
#include "sim/base/cli_error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/commands/commands.hpp"

namespace ppu::sim {
namespace {

/// Position of a float on the number line of all floats, so that neighbours differ by 1.
std::int64_t ordinal(float value) {
  const auto bits = static_cast<std::int32_t>(bits_of(value));
  return bits >= 0 ? bits : -static_cast<std::int64_t>(bits & 0x7fffffff);
}

bool same_bits(float a, float b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

std::string exact(float value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
  return text;
}

/// Prints what differs between two arrays of `width` values per item; true if nothing does.
bool compare(const char* array, const char* item, std::size_t width, const std::vector<float>& a,
             const std::vector<float>& b) {
  std::size_t differences = 0;
  std::size_t first = 0;
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (same_bits(a[i], b[i])) continue;
    if (differences++ == 0) first = i;
    largest = std::max(largest, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  }
  std::cout << array << ": " << grouped(differences) << " of " << grouped(a.size()) << " differ";
  if (differences > 0) {
    std::cout << "; first at " << item << " " << first / width;
    if (width > 1) std::cout << " element " << first % width;
    std::cout << ": " << exact(a[first]) << " and " << exact(b[first]) << ", "
              << std::llabs(ordinal(a[first]) - ordinal(b[first])) << " ulp; max abs difference "
              << scientific(largest);
  }
  std::cout << "\n";
  return differences == 0;
}

int diff(const std::string& path_a, const std::string& path_b) {
  check_exists(path_a);
  check_exists(path_b);
  const model::Solution a = model::read_solution(path_a);
  const model::Solution b = model::read_solution(path_b);
  if (a.impulse.size() != b.impulse.size() ||
      a.velocity_change.size() != b.velocity_change.size()) {
    throw CliError(kExitUsage, path_b + ": /solution has " + grouped(b.impulse.size()) +
                                   " rows and " + grouped(b.velocity_change.size() / 6) +
                                   " bodies, expected those of " + path_a + ", " +
                                   grouped(a.impulse.size()) + " and " +
                                   grouped(a.velocity_change.size() / 6));
  }
  const bool impulses = compare("impulse", "row", 1, a.impulse, b.impulse);
  const bool velocities =
      compare("velocity_change", "body", 6, a.velocity_change, b.velocity_change);
  return impulses && velocities ? kExitOk : kExitMismatch;
}

}  // namespace

void add_diff(CLI::App& app, int& exit_code) {
  auto paths = std::make_shared<std::pair<std::string, std::string>>();
  Command command = add_command(app, "diff", "Compare the solutions of two files");
  command.add_option("a", paths->first, "Output of ppu solve").required();
  command.add_option("b", paths->second, "Another one").required();
  add_examples(command, {"ppu diff systemc.h5 rtl.h5", "ppu diff before.h5 after.h5"});
  command.callback([paths, &exit_code] { exit_code = diff(paths->first, paths->second); });
}

}  // namespace ppu::sim
