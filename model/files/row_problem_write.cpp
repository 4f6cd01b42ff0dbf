// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Writes `ppu-rows` version 1: the file is made in memory, then put in its place. Equal problems
// give equal bytes (no time stamps).
#include "base/files/file_replacement.hpp"
#include "model/files/hdf5_writer.hpp"
#include "model/files/problem_bytes.hpp"
#include "model/files/row_problem_file.hpp"
#include "model/problem/problem_error.hpp"
#include "model/problem/schema.hpp"

namespace ppu::model {
namespace {

using hdf5::Handle;
using hdf5::Writer;

void write_attributes(const Writer& writer, const Handle& root, const RowProblem& problem) {
  writer.text(root, "format", kFormat);
  writer.integer(root, "version", kVersion);
  for (const auto& text : kTextAttributes) writer.text(root, text.name, problem.*text.member);
  for (const auto& integer : kIntegerAttributes) {
    writer.integer(root, integer.name, problem.*integer.member);
  }
  writer.real(root, "dt", problem.dt);
  writer.text(root, kDigest, digest_of(problem));
}

void write_solution_group(const Writer& writer, const Handle& group, const Solution& solution) {
  writer.array(group, "impulse", hdf5::float32(), {solution.impulse.size()},
               solution.impulse.data());
  writer.array(group, "velocity_change", hdf5::float32(), {solution.velocity_change.size() / 6, 6},
               solution.velocity_change.data());
}

void write_problem(const Writer& writer, const Handle& root, const RowProblem& problem) {
  write_attributes(writer, root, problem);
  const std::size_t m = problem.rows();
  const Handle rows = writer.group(root, kRowsGroup);
  const Handle bodies = writer.group(root, kBodiesGroup);
  writer.array(rows, "body", hdf5::int32(), {m, 2}, problem.body.data());
  writer.array(rows, "kind", hdf5::uint8(), {m}, problem.kind.data());
  writer.array(rows, "parent", hdf5::int32(), {m}, problem.parent.data());
  for (const auto& array : kFloatArrays) {
    const std::vector<float>& values = problem.*array.member;
    if (values.empty()) continue;
    const std::size_t count = is_row_array(array) ? m : problem.bodies();
    writer.array(is_row_array(array) ? rows : bodies, array.name, hdf5::float32(),
                 shape_of(array, count), values.data());
  }
  if (problem.reference) {
    const Handle group = writer.group(root, kReferenceGroup);
    writer.integer(group, "sweeps", problem.reference->sweeps);
    writer.text(group, "start", problem.reference->start);
    writer.text(group, "friction_rule", problem.reference->friction_rule);
    write_solution_group(writer, group, *problem.reference);
  }
  if (problem.solution) {
    write_solution_group(writer, writer.group(root, kSolutionGroup), *problem.solution);
  }
}

}  // namespace

std::vector<char> row_problem_image(const RowProblem& problem, const std::string& name) {
  validate(problem, name);
  return hdf5::file_image(name, [&](const Writer& writer, const Handle& root) {
    write_problem(writer, root, problem);
  });
}

void write_row_problem(const RowProblem& problem, const std::string& path) {
  const std::vector<char> image = row_problem_image(problem, path);
  files::FileReplacement(path, {image.data(), image.size()}).commit();
}

}  // namespace ppu::model
