// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The modules of the model beside the instances of the RTL: every module is an instance, and
// docs/inside/hierarchy.md shows both. PPU_UPDATE_PAGES=1 in the environment writes the page anew.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "hw/cosim/rtl_device.hpp"
#include "hw/cosim/wave_scopes.hpp"
#include "tests/hw/systemc/test_platform.hpp"

namespace ppu::systemc::test {
namespace {

using Names = std::set<std::string>;

const std::string& page_path() {
  static const std::string path = std::string(PPU_SOURCE_DIR) + "/docs/inside/hierarchy.md";
  return path;
}

/// The modules below `parent`, by their names from `root` on.
void add_modules(const sc_core::sc_object& parent, std::size_t root, Names* names) {
  for (const sc_core::sc_object* child : parent.get_child_objects()) {
    if (dynamic_cast<const sc_core::sc_module*>(child) == nullptr) continue;
    names->insert(std::string(child->name()).substr(root));
    add_modules(*child, root, names);
  }
}

Names modules_of(const Device& device) {
  Names names;
  add_modules(device, std::string(device.name()).size() + 1, &names);
  return names;
}

/// The instances of the Verilated device, but for primitives; generate blocks are among them.
Names instances_of_rtl(const hw::Config& config) {
  const std::string path =
      ::testing::TempDir() + "rtl_instances_" + std::to_string(getpid()) + ".fst";
  hw::test::DeviceHost host(config);
  {
    const auto device = hw::create_rtl_device(config, host.memory(), {path, "", 0, 2});
    device->write_register(PPU_REGISTER_IRQ_MASK, 0);
    device->close();
  }
  Names names;
  const std::string top = "ppu_top.";
  for (const std::string& instance : hw::instances_in(path))
    if (instance.rfind(top, 0) == 0) names.insert(instance.substr(top.size()));
  std::remove(path.c_str());
  return names;
}

/// What is only around the RTL.
bool is_around(const std::string& name) {
  return name == "u_dram" || name == "u_link";
}

/// Checks, loops, and what shows the RTL to a trace: no blocks. Of generate blocks only those count
/// that are modules, too.
bool is_left_out(const std::string& name, const Names& modules) {
  for (const char* const part : {"check", "u_shape", "u_widths", "u_trace", "unnamedblk"})
    if (name.find(part) != std::string::npos) return true;
  return name.find("gen_", name.rfind('.') + 1) != std::string::npos && modules.count(name) == 0;
}

/// Modules that do what the RTL does in an instance elsewhere.
const std::map<std::string, std::string>& elsewhere() {
  static const std::string kRows = "gen_engine[0].u_engine.u_rows.";
  static const std::string kPipe = kRows + "gen_pipe[0].u_pipe.";
  static const std::map<std::string, std::string> map = {
      {"u_quota", "gen_engine[0]"},
      {kRows + "u_end", "u_engine"},
      {kPipe + "u_in_flight", "u_dataflow"},
      {kRows + "u_set.u_ahead", "u_velocities"},
      {kPipe + "u_rows.u_passes", "u_engine"},
      {kPipe + "u_pipe.u_bias", "u_dot"},
      {kPipe + "u_pipe.u_bounds", "u_step"},
      {kPipe + "u_pipe.u_lead", "u_step"},
      {kPipe + "u_pipe.u_quotient", "u_step"},
      {kPipe + "u_pipe.u_residual", "u_step"},
      {kPipe + "u_pipe.u_max_residual", "u_engine"}};
  return map;
}

/// One engine and one pipe stand for all.
bool is_another(const std::string& name) {
  for (std::size_t at = name.find('['); at != std::string::npos; at = name.find('[', at + 1))
    if (name[at + 1] != '0') return true;
  return false;
}

std::string line_of(const std::string& name, const Names& modules) {
  const auto depth = static_cast<std::size_t>(std::count(name.begin(), name.end(), '.'));
  const std::string leaf = name.substr(name.rfind('.') + 1);
  std::string line = std::string(2 + 2 * depth, ' ') + leaf;
  line.resize(std::max<std::size_t>(line.size() + 2, 44), ' ');
  if (modules.count(name) > 0) return line + leaf;
  for (std::string above = name;; above.resize(above.rfind('.'))) {
    const auto other = elsewhere().find(above);
    if (other != elsewhere().end()) return line + "in " + other->second;
    if (modules.count(above) > 0) return line + "in " + above.substr(above.rfind('.') + 1);
    if (above.find('.') == std::string::npos) return line + "nowhere";
  }
}

std::string tree_of(const Names& modules, const Names& instances) {
  std::string text = "RTL                                         model\n";
  text += "ppu_top                                     ppu::systemc::Ppu\n";
  Names all = instances;
  all.insert(modules.begin(), modules.end());
  for (const std::string& name : all) {
    if (is_another(name) || is_left_out(name, modules) || is_around(name)) continue;
    text += line_of(name, modules) + '\n';
  }
  for (const std::string& name : modules)
    if (is_around(name)) text += "  around ppu_top" + std::string(28, ' ') + name + '\n';
  return text;
}

/// The page with this tree.
std::string page_with(const std::string& page, const std::string& tree) {
  const std::string begin = "```text\n";
  const std::size_t from = page.find(begin) + begin.size();
  return page.substr(0, from) + tree + page.substr(page.find("```", from));
}

TEST(PpuHierarchy, HasTheInstancesOfTheRtlAndIsOnThePage) {
  const TestPlatform platform({"Kind", small_settings(), {}});
  const Names modules = modules_of(*platform.device);
  const Names instances = instances_of_rtl(platform.config);
  for (const std::string& name : modules)
    EXPECT_TRUE(is_around(name) || instances.count(name) > 0) << name;
  for (const auto& [instance, module] : elsewhere()) EXPECT_EQ(instances.count(instance), 1U);
  for (const char* const block : {"u_commands", "u_dma", "u_writer", "u_arbiter",
                                  "gen_engine[1].u_engine.u_rows.gen_pipe[1].u_pipe.u_pipe.u_dot"})
    EXPECT_EQ(modules.count(block), 1U) << block;

  std::stringstream page;
  page << std::ifstream(page_path()).rdbuf();
  const std::string wanted = page_with(page.str(), tree_of(modules, instances));
  if (std::getenv("PPU_UPDATE_PAGES") != nullptr)
    std::ofstream(page_path()) << wanted;
  else
    EXPECT_EQ(page.str(), wanted) << "PPU_UPDATE_PAGES=1 writes it anew";
}

}  // namespace
}  // namespace ppu::systemc::test
