// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// One row: its record, the operands that it would read now, and what the loaded kernel makes of
// them.
#include <array>
#include <cstring>

#include "sim/base/text.hpp"
#include "sim/debug/debug_views.hpp"
#include "sim/problem/problem.hpp"

namespace ppu::sim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kElements = spec::kRowElements;
using Elements = std::array<float, kElements>;

Elements elements_of(const float* values) {
  Elements elements;
  std::memcpy(elements.data(), values, sizeof elements);
  return elements;
}

/// An element per line; those of the static world are zero and left out.
std::string vectors_text(const ppu_row& row, const model::RowOperands& in,
                         const model::RowResult* out) {
  static constexpr const char* kAxes[] = {"linear x",  "linear y",  "linear z",
                                          "angular x", "angular y", "angular z"};
  constexpr std::size_t kHalf = kElements / 2;
  Table table(out != nullptr ? std::vector<std::string>{"", "J", "JM", "v", "v'"}
                             : std::vector<std::string>{"", "J", "JM", "v"});
  for (std::size_t i = 0; i < kElements; ++i) {
    if ((i < kHalf ? row.body_a : row.body_b) == PPU_NONE) continue;
    std::vector<std::string> cells = {(i < kHalf ? "a " : "b ") + std::string(kAxes[i % kHalf]),
                                      exact(in.jacobian[i]), exact(in.inv_mass_jacobian[i]),
                                      exact(in.velocity[i])};
    if (out != nullptr) cells.push_back(exact(out->velocity[i]));
    table.add(cells);
  }
  return table.str();
}

/// Bounds as the clamp sees them.
struct Bounds {
  float lower, upper;
};
Bounds bounds_of(spec::ControlWord control, const model::RowOperands& in) {
  if (control.bounds() != spec::Bounds::kCone || !in.has_parent) return {in.lower, in.upper};
  const float upper = in.upper * (in.parent_impulse > 0.0F ? in.parent_impulse : 0.0F);
  return {-upper, upper};
}

void add_record(const View& view, std::uint32_t slot, Answer* answer) {
  const ppu_row& row = view.engine().row(slot);
  const std::uint32_t number = view.run().row_of(slot);
  const bool has_parent = row.parent != PPU_NONE;
  answer->json["row"] = number;
  answer->json["slot"] = slot;
  answer->json["kind"] = kind_name(view.problem.kind[number]);
  answer->json["bodies"] = {view.body_json(row.body_a), view.body_json(row.body_b)};
  answer->json["parent_row"] = has_parent ? Json(view.run().row_of(row.parent)) : Json();
  answer->json["parent_slot"] = has_parent ? Json(row.parent) : Json();
  const auto body = [&view](std::uint32_t of_device) {
    return view.body_name(of_device) +
           (of_device == PPU_NONE ? "" : " (number " + std::to_string(of_device) + ")");
  };
  answer->text += view.row_name(slot) + ": " + kind_name(view.problem.kind[number]) + ", a " +
                  body(row.body_a) + ", b " + body(row.body_b) +
                  (has_parent ? ", parent " + view.row_name(row.parent) : "") + "\n";
}

void add_operands(const View& view, std::uint32_t slot, Answer* answer) {
  const model::RowOperands in = view.engine().operands(slot);
  const ppu_row& row = view.engine().row(slot);
  answer->json["record"] = {{"b", row.bias},
                            {"d", row.inv_diagonal},
                            {"lo", row.lower},
                            {"hi", row.upper},
                            {"cfm", row.compliance},
                            {"J", elements_of(row.jacobian)},
                            {"JM", elements_of(row.inv_mass_jacobian)}};
  answer->json["operands"] = {{"x", in.impulse},
                              {"xp", in.has_parent ? Json(in.parent_impulse) : Json()},
                              {"v", in.velocity}};
  answer->text += "b " + exact(row.bias) + ", d " + exact(row.inv_diagonal) + ", " +
                  (in.has_parent ? "mu " + exact(row.upper)
                                 : "lo " + exact(row.lower) + ", hi " + exact(row.upper)) +
                  ", cfm " + exact(row.compliance) + ", x " + exact(in.impulse) +
                  (in.has_parent ? ", x of the parent " + exact(in.parent_impulse) : "") + "\n";
}

const char* mark_text(const model::RowResult& out) {
  if (out.mark_a && out.mark_b) return "a and b";
  if (out.mark_a) return "a";
  return out.mark_b ? "b" : "none";
}

/// x above is the lead of the sweep before while the run is ahead.
void add_lead(const View& view, std::uint32_t slot, const model::RowResult& out, Answer* answer) {
  const hw::WorkingSet& set = view.state().set;
  answer->json["lead"] = {
      {"y", out.lead}, {"xs", set.impulses[slot]}, {"beta", set.lead_factor}, {"ahead", set.ahead}};
  answer->text += "lead: y " + exact(out.lead) + ", xs " + exact(set.impulses[slot]) + ", beta " +
                  exact(set.lead_factor) + (set.ahead ? "; ahead: x is the y before\n" : "\n");
}

void add_result(const View& view, std::uint32_t slot, Answer* answer) {
  const spec::ControlWord control = view.state().sequencer.kernel().control;
  const model::RowResult out = view.engine().result(slot);
  const Bounds bounds = bounds_of(control, view.engine().operands(slot));
  const bool rate = control.form() == spec::Form::kRate;
  const bool resid = control.resid() != spec::Resid::kNone;
  const bool marks = control.mark() == spec::Mark::kOn;
  const ppu_row& row = view.engine().row(slot);
  const bool live = control.filter() != spec::Filter::kOn || view.state().tags.live(row);
  answer->json["result"] = {{"kernel", view.kernel_name()},
                            {"lo", bounds.lower},
                            {"hi", bounds.upper},
                            {"u", rate ? Json(out.rate) : Json()},
                            {"t", out.target},
                            {"x", out.impulse},
                            {"dx", out.delta},
                            {"v", out.velocity},
                            {"residual", resid ? Json(out.residual) : Json()},
                            {"mark_a", marks ? Json(out.mark_a) : Json()},
                            {"mark_b", marks ? Json(out.mark_b) : Json()},
                            {"held", out.skipped},
                            {"tagged", live},
                            {"fault", out.fault}};
  answer->text += "kernel " + view.kernel_name() + ": lo " + exact(bounds.lower) + ", hi " +
                  exact(bounds.upper) + (rate ? ", u " + exact(out.rate) : "") + ", t " +
                  exact(out.target) + ", x' " + exact(out.impulse) + ", dx " + exact(out.delta) +
                  (resid ? ", residual " + exact(out.residual) : "") +
                  (marks ? std::string(", marks ") + mark_text(out) : "") + "\n";
  if (control.lead() == spec::Lead::kOn) add_lead(view, slot, out, answer);
  if (out.skipped) answer->text += "held by the skip rule: its parent's impulse is not above 0\n";
  if (!live) answer->text += "passed over: neither body has its current tag set\n";
  if (out.fault) answer->text += "faults: it is not written, and the run ends\n";
}

}  // namespace

Answer show_row(const View& view, std::uint32_t slot) {
  Answer answer;
  add_record(view, slot, &answer);
  add_operands(view, slot, &answer);
  const ppu_row& row = view.engine().row(slot);
  const model::RowOperands in = view.engine().operands(slot);
  if (!view.has_kernel()) {
    answer.text += vectors_text(row, in, nullptr) + "no kernel is loaded\n";
    return answer;
  }
  const model::RowResult out = view.engine().result(slot);
  answer.text += vectors_text(row, in, &out);
  add_result(view, slot, &answer);
  return answer;
}

}  // namespace ppu::sim
