// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a run works on is in the modules that have its name: rows, impulses and velocities are found
// in them, by the names of the RTL. SystemC elaborates once in a process: each test is one.
#include <cstring>

#include "hw/systemc/engine_module.hpp"
#include "tests/hw/systemc/test_platform.hpp"

namespace ppu::systemc::test {
namespace {

template <class What>
const What& block_of(const std::string& name) {
  const std::string full = "ppu.gen_engine[0].u_engine.u_rows." + name;
  const auto* const module = dynamic_cast<Lasting<What>*>(sc_core::sc_find_object(full.c_str()));
  if (module == nullptr) throw std::runtime_error("no module " + full);
  return module->block;
}

class PpuModuleState : public ::testing::TestWithParam<bool> {};

TEST_P(PpuModuleState, IsWhatTheRunLeaves) {
  Kind kind{"Kind", small_settings(), {}};
  kind.settings.overrides.push_back(GetParam() ? "dataflow=1" : "dataflow=0");
  TestPlatform platform(kind);
  platform.run([&] { do_two_runs(platform.master, platform.host); });

  const std::vector<ppu_row> rows = hw::test::random_rows(300, 40, 7);
  const hw::RunCommand command = hw::test::Job(rows, 40, hw::test::program("pgs")).command;
  const auto float_at = [&](std::uint32_t address) {
    return platform.host.get<float>(hw::test::kState + address);
  };
  const auto& impulses = block_of<hw::ImpulseMemory>("u_set.u_impulses");
  ASSERT_EQ(impulses.impulses.size(), rows.size());
  for (std::uint32_t slot = 0; slot < rows.size(); ++slot) {
    EXPECT_EQ(impulses.impulses[slot], float_at(command.impulses_address + 4 * slot)) << slot;
    const std::string pipe = "gen_pipe[" + std::to_string(slot % platform.config.pipes) + "]";
    const auto& memory = block_of<hw::RowMemory>(pipe + ".u_pipe.u_rows");
    EXPECT_EQ(std::memcmp(&memory[slot / platform.config.pipes], &rows[slot], sizeof(ppu_row)), 0);
  }
  const std::vector<std::string> copies =
      GetParam() ? std::vector<std::string>{"gen_twice.gen_copy[0]", "gen_twice.gen_copy[1]"}
                 : std::vector<std::string>{"gen_once"};
  for (const std::string& copy : copies) {
    const auto& velocities = block_of<hw::VelocityMemory>("u_set." + copy + ".u_velocities");
    ASSERT_EQ(velocities.velocities.size(), command.body_count);
    for (std::uint32_t body = 0; body < command.body_count; ++body)
      for (std::uint32_t i = 0; i < 6; ++i)
        EXPECT_EQ(velocities.velocities[body][i],
                  float_at(command.velocities_address + body * spec::kVelocityBytes + 4 * i))
            << copy << " " << body;
  }
}

INSTANTIATE_TEST_SUITE_P(Issue, PpuModuleState, ::testing::Bool(), [](const auto& kind_info) {
  return std::string(kind_info.param ? "ByDataflow" : "InOrder");
});

}  // namespace
}  // namespace ppu::systemc::test
