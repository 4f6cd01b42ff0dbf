// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A replay for tests: boxes that fall onto each other. Bodies do not turn in contacts, so a contact
// is a row along y and two of friction, with the Jacobian 1 of one body and -1 of the other.
#include "tests/sim/support/falling_stack.hpp"

#include <cmath>
#include <limits>

#include "sim/replay/replay_record.hpp"

namespace ppu::sim {
namespace {

constexpr float kStep = 1.0F / 60.0F, kGravity = 9.81F, kHalf = 0.5F, kFriction = 0.4F;
constexpr std::int32_t kBoxes = 5;

struct Box {
  std::array<float, 3> position{}, velocity{};
};

/// Appends the row of one axis between a box and the one below it (-1: the floor).
void add_row(model::RowProblem* problem, std::int32_t box, std::int32_t below, std::size_t axis,
             float relative_velocity, std::int32_t parent) {
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  std::array<float, 12> jacobian{};
  jacobian[axis] = 1;
  if (below >= 0) jacobian[6 + axis] = -1;
  problem->body.push_back({box, below});
  problem->kind.push_back(parent < 0 ? model::RowKind::kContact : model::RowKind::kFriction);
  problem->parent.push_back(parent);
  for (std::vector<float>* rows : {&problem->jacobian, &problem->inv_mass_jacobian})
    rows->insert(rows->end(), jacobian.begin(), jacobian.end());
  problem->rate_bias.push_back(relative_velocity);
  problem->inv_diagonal.push_back(below >= 0 ? 0.5F : 1.0F);
  problem->lower.push_back(0);
  problem->upper.push_back(kInfinite);
  problem->friction.push_back(parent < 0 ? 0 : kFriction);
  problem->compliance.push_back(0);
  problem->impulse.push_back(0);
}

model::RowProblem contacts_of(const std::vector<Box>& boxes) {
  model::RowProblem problem;
  problem.name = "falling stack";
  problem.velocity_change.assign(6 * boxes.size(), 0.0F);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const bool on_floor = i == 0;
    const float surface = on_floor ? 0 : boxes[i - 1].position[1] + kHalf;
    if (boxes[i].position[1] - kHalf > surface + 0.005F) continue;
    const auto box = static_cast<std::int32_t>(i);
    const auto normal = static_cast<std::int32_t>(problem.rows());
    for (const std::size_t axis : {1U, 0U, 2U}) {
      const float below = on_floor ? 0 : boxes[i - 1].velocity[axis];
      add_row(&problem, box, box - 1, axis, boxes[i].velocity[axis] - below,
              axis == 1 ? -1 : normal);
    }
  }
  return problem;
}

std::vector<Pose> poses_of(const std::vector<Box>& boxes, std::uint32_t frame, float shift) {
  std::vector<Pose> poses = {{{0, -1, 0}, {0, 0, 0, 1}}};
  for (const Box& box : boxes)
    poses.push_back({{box.position[0] + shift, box.position[1], box.position[2]}, {0, 0, 0, 1}});
  const float angle = 0.1F * static_cast<float>(frame);
  const float sign = frame % 3 == 2 ? -1.0F : 1.0F;  // The same rotation.
  poses.push_back({{2.5F, 1, 0}, {0, sign * std::sin(angle / 2), 0, sign * std::cos(angle / 2)}});
  return poses;
}

std::vector<Box> start() {
  std::vector<Box> boxes(kBoxes);
  for (std::size_t i = 0; i < boxes.size(); ++i)
    boxes[i].position = {0.1F * static_cast<float>(i % 2), 0.7F + 1.15F * static_cast<float>(i), 0};
  boxes.back().velocity = {1.2F, 0, 0.3F};
  return boxes;
}

/// The frame without its poses; moves the velocities on to its end.
ReplayFrame solve(const Solver& solver, const Options& options, std::vector<Box>* boxes,
                  ReplayReport* report) {
  for (Box& box : *boxes) box.velocity[1] -= kGravity * kStep;
  const model::RowProblem problem = contacts_of(*boxes);
  ReplayFrame frame;
  frame.loads.resize(report->bodies.size());
  frame.stalls.resize(report->stall_labels.size());
  if (problem.rows() == 0) return frame;
  const SolveResult result = solver.solve(problem, options.sweeps);
  describe_device(options, result, report);
  for (std::size_t i = 0; i < boxes->size(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis)
      (*boxes)[i].velocity[axis] += result.solution.velocity_change[6 * i + axis];
  std::vector<std::int32_t> scene_body;
  for (std::int32_t i = 0; i < kBoxes; ++i) scene_body.push_back(i + 1);
  const FrameDetail detail = detail_of(problem, options, result, scene_body);
  const std::size_t number = report->frames.size();
  if (number % 3 != 2) report->rows.take(number, detail);
  frame = frame_of(problem, options, result, detail, scene_body, report->bodies.size());
  frame.residuals = residuals_of(problem, options, options.sweeps);
  return frame;
}

}  // namespace

ReplayReport falling_stack(const std::string& backend, std::uint32_t frames) {
  Options options;
  options.problem = "falling stack";
  options.backend = backend;
  options.row_profile = true;
  const Solver solver(options);
  ReplayReport report;
  report.scene = "falling stack";
  report.description = "Five boxes fall onto each other.";
  report.command = "replay_fixture";
  report.against_cpu = true;
  report.frame_seconds = 1.0 / 60;
  report.shapes = {box_mesh({4, 1, 3}), box_mesh({kHalf, kHalf, kHalf}), sphere_mesh(0.4F)};
  report.bodies = {{0, 0}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, {2, 1}};
  std::vector<Box> boxes = start();
  for (std::uint32_t number = 0; number < frames; ++number) {
    ReplayFrame frame = solve(solver, options, &boxes, &report);
    for (Box& box : boxes)
      for (std::size_t axis = 0; axis < 3; ++axis) box.position[axis] += kStep * box.velocity[axis];
    frame.number = number;
    frame.cpu_seconds = 2e-6;
    frame.poses = poses_of(boxes, number, 0);
    if (number >= 20)
      frame.cpu_poses = poses_of(boxes, number, 0.01F * static_cast<float>(number - 19));
    report.frames.push_back(std::move(frame));
  }
  for (ReplayFrame& frame : report.frames) frame.stalls.resize(report.stall_labels.size());
  report.bound = bound_of(report);
  return report;
}

}  // namespace ppu::sim
