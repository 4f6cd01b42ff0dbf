// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Problem files: HDF5 files that are whole, with any of the names, types, shapes and numbers of the
// schema, or none of them. The reader takes or refuses one; what is a problem is written, read back
// the same, and solved. (Files that are not whole are HDF5's own matter, in a process of its own:
// see hostile.py.)
#include <cmath>

#include "model/files/hdf5_writer.hpp"
#include "model/files/row_problem_file.hpp"
#include "model/files/row_problem_read.hpp"
#include "model/problem/schema.hpp"
#include "ppu/ppu.hpp"
#include "tests/driver/support/problems.hpp"
#include "tests/fuzz/input.hpp"

namespace {

using namespace ppu::model;
using hdf5::Handle;
using hdf5::Writer;
using ppu::fuzz::Input;

constexpr std::size_t kMemoryBytes = std::size_t{64} << 20U;

/// One byte in 16 asks for something else than the schema.
bool strays(Input& input) {
  return input.byte() % 16 == 15;
}

void dataset(const Writer& writer, const Handle& group, const char* name,
             const hdf5::ElementType& expected, hdf5::Shape shape, Input& input) {
  hdf5::ElementType type = expected;
  if (strays(input)) {
    const hdf5::ElementType others[] = {hdf5::float32(), hdf5::float64(), hdf5::int32(),
                                        hdf5::uint8()};
    type = others[input.below(4)];
  }
  if (strays(input)) type.little_endian = type.big_endian;
  if (strays(input)) shape.push_back(1 + input.below(3));
  if (strays(input)) shape[input.below(static_cast<std::uint32_t>(shape.size()))] += 1;
  if (strays(input)) return;
  std::size_t count = 1;
  for (const hsize_t extent : shape) count *= extent;
  std::vector<double> storage(count + 1);
  auto* const bytes = reinterpret_cast<std::uint8_t*>(storage.data());
  for (std::size_t n = 0; n < count; ++n) {
    const std::uint32_t form = input.byte();
    if (type.memory == hdf5::float32().memory) {
      const float value = form % 8 == 7 ? input.number() : static_cast<float>(form % 8) / 2;
      std::memcpy(bytes + n * sizeof value, &value, sizeof value);
    } else if (type.memory == hdf5::int32().memory) {
      const auto value = form % 8 == 7 ? static_cast<std::int32_t>(input.word())
                                       : static_cast<std::int32_t>(form % 8) - 1;
      std::memcpy(bytes + n * sizeof value, &value, sizeof value);
    } else {
      bytes[n] = static_cast<std::uint8_t>(form % 4);
    }
  }
  writer.array(group, name, type, shape, bytes);
}

void solution(const Writer& writer, const Handle& group, hsize_t rows, hsize_t bodies,
              Input& input) {
  dataset(writer, group, "impulse", hdf5::float32(), {rows}, input);
  dataset(writer, group, "velocity_change", hdf5::float32(), {bodies, 6}, input);
}

void write(const Writer& writer, const Handle& root, Input& input) {
  const hsize_t rows = 1 + input.below(6), bodies = 1 + input.below(4);
  writer.text(root, "format", strays(input) ? "ppu-columns" : kFormat);
  writer.integer(root, "version", strays(input) ? input.word() : kVersion);
  if (strays(input)) writer.integer(root, "dt", 3);
  if (strays(input)) writer.text(root, "scene", std::string(input.below(200), '\xff'));
  if (strays(input)) writer.text(root, kDigest, "0x12345678");
  const Handle of_rows = writer.group(root, kRowsGroup);
  const Handle of_bodies = writer.group(root, strays(input) ? "spirits" : kBodiesGroup);
  dataset(writer, of_rows, "body", hdf5::int32(), {rows, 2}, input);
  dataset(writer, of_rows, "kind", hdf5::uint8(), {rows}, input);
  dataset(writer, of_rows, "parent", hdf5::int32(), {rows}, input);
  for (const FloatArray& array : kFloatArrays) {
    if (!array.required && input.byte() % 2 == 0) continue;
    const bool is_row = is_row_array(array);
    dataset(writer, is_row ? of_rows : of_bodies, array.name, hdf5::float32(),
            shape_of(array, is_row ? rows : bodies), input);
  }
  if (input.byte() % 4 == 1)
    solution(writer, writer.group(root, kSolutionGroup), rows, bodies, input);
  if (input.byte() % 4 != 1) return;
  const Handle reference = writer.group(root, kReferenceGroup);
  writer.integer(reference, "sweeps", strays(input) ? input.word() : 10);
  writer.text(reference, "start", "warm");
  writer.text(reference, "friction_rule", strays(input) ? "none" : "clamp");
  solution(writer, reference, rows, bodies, input);
}

void solve(const RowProblem& problem) {
  static const ppu::Device device = [] {
    ppu_device_def def = ppu_default_device_def();
    def.backend = "functional";
    return ppu::Device(def);
  }();
  static const ppu::Program program = ppu::Program::load(device, "boxed");
  const ppu_problem view = ppu::driver::test::view(problem);
  std::vector<float> impulse(problem.rows()), velocity(6 * problem.bodies());
  ppu_solve_def def = ppu_default_solve_def();
  def.program = program.get();
  const ppu_result result =
      ppu_solve(device.get(), &view, &def, impulse.data(), velocity.data(), nullptr);
  if (result != PPU_OK) return;
  for (const float value : impulse) ppu::fuzz::require(std::isfinite(value), "impulses are finite");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(data, size);
  std::vector<char> file;
  try {
    file = hdf5::file_image(
        "fuzz.h5", [&](const Writer& writer, const Handle& root) { write(writer, root, input); });
  } catch (const RowProblemError&) {
    return 0;  // HDF5 does not write such a thing.
  }
  try {
    const hdf5::Session session;
    static_cast<void>(read_solution_only({file.data(), file.size(), "fuzz.h5", kMemoryBytes}));
  } catch (const RowProblemError&) {
  }
  RowProblem problem;
  try {
    const hdf5::Session session;
    problem = read_problem({file.data(), file.size(), "fuzz.h5", kMemoryBytes});
  } catch (const RowProblemError&) {
    return 0;
  }
  try {
    validate(problem, "fuzz.h5");
  } catch (const RowProblemError&) {
    return 0;
  }
  const std::vector<char> again = row_problem_image(problem, "again.h5");
  {
    const hdf5::Session session;
    const RowProblem read = read_problem({again.data(), again.size(), "again.h5", kMemoryBytes});
    ppu::fuzz::require(read.body == problem.body && read.parent == problem.parent,
                       "a problem is read as it was written, digest and all");
  }
  solve(problem);
  return 0;
}
