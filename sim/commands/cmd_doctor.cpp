// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu doctor`: is everything there that building and running the PPU needs? Only running where
// there are no sources.
#include <cstdio>
#include <exception>
#include <iostream>
#include <sstream>

#include "ppu/ppu.h"
#include "sim/base/cli_error.hpp"
#include "sim/base/embedded.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/source_tree.hpp"
#include "sim/problem/problem.hpp"
#include "sim/solve/options.hpp"

namespace ppu::sim {
namespace {

/// A line of the package list: "group package kind probe what for".
struct Requirement {
  std::string group;    ///< "build" (and run), "python", "test" or "docs".
  std::string package;  ///< Debian package that brings it.
  std::string kind;     ///< "program", "header" or "file".
  std::string probe;
  std::string purpose;
};

/// None where there is nothing to build.
std::vector<Requirement> requirements() {
  std::vector<Requirement> list;
  if (!is_source_tree(named_source_tree())) return list;
  std::istringstream lines{std::string(embedded_packages())};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    Requirement entry;
    words >> entry.group >> entry.package >> entry.kind >> entry.probe >> std::ws;
    std::getline(words, entry.purpose);
    if (!entry.group.empty() && entry.group.front() != '#') list.push_back(entry);
  }
  return list;
}

std::string output_of(const std::string& command) {
  FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return {};
  char line[128] = {};
  const bool any = std::fgets(line, sizeof line, pipe) != nullptr;
  pclose(pipe);
  const std::string text = any ? line : "";
  return text.substr(0, text.find_last_not_of(" \n") + 1);
}

/// Where the probe was found; empty if nowhere.
std::string find(const Requirement& requirement) {
  if (requirement.kind == "program") return output_of("command -v " + requirement.probe);
  if (requirement.kind == "file") return output_of("ls -d " + requirement.probe);
  return output_of("ls -d /usr/include/" + requirement.probe + " /usr/include/*-linux-gnu/" +
                   requirement.probe + " /usr/local/include/" + requirement.probe);
}

/// Version of the Debian package, "-" if what was found does not come from one.
std::string version_of(const Requirement& requirement) {
  const std::string version = output_of("dpkg-query -W -f '${Version}' " + requirement.package);
  return version.empty() ? "-" : version;
}

/// Opens and closes a device: empty if that works, else why not.
std::string try_backend(const std::string& backend) {
  ppu_device_def def = ppu_default_device_def();
  def.backend = backend.c_str();
  ppu_device device{};
  if (ppu_device_open(&def, &device) != PPU_OK) return ppu_last_error();
  ppu_device_close(device);
  return {};
}

/// Reads the problem that travels inside: empty if the reader process works, else why not.
std::string try_reader() {
  try {
    load_problem(kEmbeddedProblem);
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

int doctor() {
  std::string build_packages;
  std::string test_packages;
  bool healthy = true;
  Table table({"needed for", "package", "state", "version", "found"});
  for (const Requirement& requirement : requirements()) {
    const std::string place = find(requirement);
    const bool missing = place.empty();
    const bool build = requirement.group == "build" || requirement.group == "python";
    if (missing) (build ? build_packages : test_packages) += " " + requirement.package;
    table.add({requirement.purpose + (build ? "" : " (" + requirement.group + ")"),
               requirement.package, missing ? "MISSING" : "ok",
               missing ? "-" : version_of(requirement),
               missing ? "no " + requirement.kind + " " + requirement.probe : place});
  }
  const auto add_own = [&](const std::string& part, const char* good, const std::string& trouble) {
    healthy = healthy && trouble.empty();
    table.add({part, "-", trouble.empty() ? "ok" : "MISSING", ppu_version(),
               trouble.empty() ? good : trouble});
  };
  for (const std::string& backend : backend_names())
    add_own("back end " + backend, "opens", try_backend(backend));
  add_own("reader of problem files", "reads", try_reader());
  std::cout << table.str();
  if (!build_packages.empty() || !test_packages.empty()) {
    std::cout << "\napt-get install -y --no-install-recommends" << build_packages << test_packages
              << "\n";
  }
  if (build_packages.empty() && healthy) return kExitOk;
  std::cerr << "ppu: something is missing, see the lines marked MISSING\n";
  return kExitEnvironment;
}

}  // namespace

void add_doctor(CLI::App& app, int& exit_code) {
  Command command = add_command(app, "doctor", "Check what building and running needs");
  add_examples(command, {"ppu doctor", "ppu doctor | grep apt-get"});
  command.callback([&exit_code] { exit_code = doctor(); });
}

}  // namespace ppu::sim
