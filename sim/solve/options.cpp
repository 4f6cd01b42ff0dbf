// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a solve is asked for.
#include "sim/solve/options.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>

#include "sim/base/cli_error.hpp"
#include "sim/base/text.hpp"

namespace ppu::sim {
namespace {

template <class Enum>
Enum index_of(const std::vector<std::string>& names, const std::string& name) {
  const std::string complaint = complaint_unless_one_of(names, name);
  if (!complaint.empty()) throw CliError(kExitUsage, complaint);
  return static_cast<Enum>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

const std::vector<std::string>& order_names() {
  static const std::vector<std::string> names = {"engine", "scheduled", "colour"};
  return names;
}

const std::string& default_order() {
  return order_names()[ppu_default_solve_def().order];
}

const std::vector<std::string>& friction_names() {
  static const std::vector<std::string> names = {"clamp", "skip"};
  return names;
}

const std::vector<std::string>& start_names() {
  static const std::vector<std::string> names = {"warm", "cold"};
  return names;
}

const std::vector<std::string>& backend_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (std::size_t i = 0; ppu_backend_name(i) != nullptr; ++i)
      list.emplace_back(ppu_backend_name(i));
    return list;
  }();
  return names;
}

ppu_order order_of(const Options& options) {
  return index_of<ppu_order>(order_names(), options.order);
}

ppu_friction_rule friction_of(const Options& options) {
  return index_of<ppu_friction_rule>(friction_names(), options.friction);
}

ppu_start start_of(const Options& options) {
  return index_of<ppu_start>(start_names(), options.start);
}

void check_device_options(const Options& options) {
  const std::string backend = ": back end '" + options.backend + "' ";
  if (!options.trace.empty() && options.backend == "functional") {
    throw CliError(kExitUsage, "--trace" + backend +
                                   "has no cycles in which something could happen, expected "
                                   "systemc, cosim or rtl");
  }
  const bool none = options.wave.empty();
  if (!none && options.backend != "cosim" && options.backend != "rtl") {
    throw CliError(kExitUsage, "--wave" + backend +
                                   "has no RTL whose waves could be written, expected cosim or "
                                   "rtl");
  }
  if (!none && !options.wave_scope.empty() && options.backend != "rtl") {
    throw CliError(kExitUsage, "--wave-scope" + backend +
                                   "has no parts whose waves could be written alone, expected rtl");
  }
  if (none && !options.wave_scope.empty()) {
    throw CliError(kExitUsage, "--wave-scope needs --wave FILE.fst");
  }
  if (none && !options.wave_window.empty()) {
    throw CliError(kExitUsage, "--wave-window needs --wave FILE.fst");
  }
  if (none && !options.wave_row.empty()) {
    throw CliError(kExitUsage, "--wave-row needs --wave FILE.fst");
  }
  if (!none && !ends_with(options.wave, ".fst")) {
    throw CliError(kExitUsage, "--wave: got '" + options.wave +
                                   "', expected a name that ends in .fst, the format of the waves");
  }
}

std::pair<std::uint64_t, std::uint64_t> wave_window_of(const Options& options) {
  if (options.wave_window.empty()) return {0, std::numeric_limits<std::uint64_t>::max()};
  unsigned long long first = 0;
  unsigned long long last = 0;
  char rest = 0;
  if (std::sscanf(options.wave_window.c_str(), "%llu:%llu%c", &first, &last, &rest) != 2 ||
      first > last) {
    throw CliError(kExitUsage, "--wave-window: got '" + options.wave_window +
                                   "', expected A:B, two cycles with A <= B");
  }
  return {first, last};
}

}  // namespace ppu::sim
