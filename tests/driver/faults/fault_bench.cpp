// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "tests/driver/faults/fault_bench.hpp"

#include <algorithm>

namespace ppu::driver::test {
namespace {

constexpr std::uint32_t kRows = 3, kBodies = 3;
constexpr std::size_t kWitnessBytes = 256;
constexpr std::uint8_t kUntouched = 0xaa;

std::vector<std::uint8_t> witness_bytes() {
  std::vector<std::uint8_t> bytes(kWitnessBytes);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(7 * i + 1);
  return bytes;
}

ppu_device_def def_of(const std::string& backend, const char* config) {
  ppu_device_def def = ppu_default_device_def();
  def.backend = backend.c_str();
  def.config = config;
  return def;
}

}  // namespace

FaultOutcome outcome_of(ppu_result result) {
  return {result, result == PPU_OK ? "" : ppu_last_error()};
}

FaultCase fault(const std::string& name, const std::string& how, ppu_result expected,
                const std::string& sentence,
                const std::function<FaultOutcome(FaultBench&)>& provoke) {
  FaultCase made;
  made.name = name;
  made.how = how;
  made.expected = expected;
  made.sentence = sentence;
  made.provoke = provoke;
  return made;
}

FaultBench::FaultBench(const std::string& backend_name, const char* config)
    : FaultBench(def_of(backend_name, config)) {
}

FaultBench::FaultBench(const ppu_device_def& def)
    : backend(def.backend),
      device(def),
      boxed(Program::load(device, "boxed")),
      endless(Program::assemble(device, "for-ever.s", "loop: j loop\n")),
      rows(device, kRows * sizeof(ppu_row)),
      impulses(device, 64),
      velocities(device, 128),
      witness(device, kWitnessBytes),
      destination(64, kUntouched) {
  const std::vector<std::uint8_t> bytes = witness_bytes();
  witness.write(bytes.data(), bytes.size());
}

CommandWords FaultBench::words(std::uint32_t opcode,
                               const std::vector<std::uint32_t>& from_word_1) {
  CommandWords made{opcode};
  std::copy(from_word_1.begin(), from_word_1.end(), made.begin() + 1);
  return made;
}

FaultOutcome FaultBench::raw(const std::vector<CommandWords>& commands) {
  const std::vector<std::uint8_t> in(64, 9);
  const Commands list(device);
  list.copy_in(impulses, in.data(), in.size());
  for (const CommandWords& command : commands) list.raw(command);
  list.copy_out(impulses, destination.data(), destination.size());
  return outcome_of(ppu_fence_wait(list.submit().get(), PPU_NO_TIMEOUT));
}

ppu_run_def FaultBench::run_of(const Program& program) const {
  ppu_run_def def = ppu_default_run_def();
  def.program = program.get();
  def.rows = rows.get();
  def.impulses = impulses.get();
  def.velocities = velocities.get();
  return def;
}

FaultOutcome FaultBench::run(const char* source) {
  const Program program = Program::assemble(device, "fault.s", source);
  return outcome_of(ppu_fence_wait(Fence::submit(device, run_of(program)).get(), PPU_NO_TIMEOUT));
}

Fence FaultBench::start_rows_that_never_come() {
  ppu_run_def def = run_of(boxed);
  def.row_count = def.arguments[0] = def.arguments[1] = 1;
  def.chained = true;
  return Fence::submit(device, def);
}

Fence FaultBench::start_endless() {
  return Fence::submit(device, run_of(endless));
}

Fence FaultBench::start_nops(std::size_t count) {
  const Commands& list = lists.emplace_back(device);
  for (std::size_t n = 0; n < count; ++n) list.raw({});
  return list.submit();
}

ppu_row FaultBench::good_row() {
  ppu_row row{};
  row.jacobian[1] = row.inv_mass_jacobian[1] = 1;
  row.jacobian[7] = row.inv_mass_jacobian[7] = -1;
  row.inv_diagonal = 0.5F;
  row.bias = 0.25F;
  row.lower = -1;
  row.upper = 1;
  row.body_a = 0;
  row.body_b = 1;
  row.parent = PPU_NONE;
  return row;
}

FaultOutcome FaultBench::sweep(const CommandWords* flip) {
  std::vector<ppu_row> chain(kRows, good_row());
  for (std::uint32_t slot = 0; slot < kRows; ++slot) {
    chain[slot].bias *= static_cast<float>(slot + 1);
    chain[slot].body_a = slot / 2;
    chain[slot].body_b = slot / 2 + 1;
    chain[slot].parent = slot == 2 ? 1 : PPU_NONE;
  }
  const std::vector<std::uint8_t> rest(kBodies * sizeof(ppu_velocity));
  const Commands list(device);
  list.copy_in(rows, chain.data(), chain.size() * sizeof(ppu_row));
  list.copy_in(impulses, rest.data(), kRows * sizeof(float));
  list.copy_in(velocities, rest.data(), rest.size());
  list.barrier();
  if (flip != nullptr) list.raw(*flip);
  ppu_run_def def = run_of(boxed);
  def.row_count = kRows;
  def.body_count = kBodies;
  def.arguments[0] = kRows;
  def.arguments[1] = 3;
  list.run(def);
  return outcome_of(ppu_fence_wait(list.submit().get(), PPU_NO_TIMEOUT));
}

FaultOutcome FaultBench::sweep_over(const ppu_row& row, bool stream) {
  rows.write(&row, sizeof row);
  ppu_run_def def = run_of(boxed);
  def.row_count = def.arguments[0] = def.arguments[1] = 1;
  def.body_count = 2;
  def.stream = stream;
  return outcome_of(ppu_fence_wait(Fence::submit(device, def).get(), PPU_NO_TIMEOUT));
}

std::vector<std::uint32_t> FaultBench::answer() const {
  std::vector<std::uint32_t> found(kRows + kBodies * sizeof(ppu_velocity) / 4);
  impulses.read(found.data(), kRows * sizeof(float));
  velocities.read(found.data() + kRows, kBodies * sizeof(ppu_velocity));
  return found;
}

bool FaultBench::is_intact() const {
  std::vector<std::uint8_t> bytes(kWitnessBytes);
  witness.read(bytes.data(), bytes.size());
  return bytes == witness_bytes() &&
         std::all_of(destination.begin(), destination.end(),
                     [](std::uint8_t byte) { return byte == kUntouched; });
}

std::uint32_t FaultBench::host_bytes() const {
  return static_cast<std::uint32_t>(device.info().host_memory_bytes);
}
std::uint32_t FaultBench::device_bytes() const {
  return static_cast<std::uint32_t>(device.info().device_memory_bytes);
}
std::uint64_t FaultBench::corrected() const {
  return device.counters()[PPU_DEVICE_COUNTER_MEMORY_WORDS_CORRECTED];
}

}  // namespace ppu::driver::test
