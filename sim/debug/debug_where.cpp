// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Where a run is: the instruction or row at hand, its place in time, and what it waited for.
#include <algorithm>
#include <optional>

#include "sim/base/text.hpp"
#include "sim/debug/debug_views.hpp"
#include "sim/problem/problem.hpp"

namespace ppu::sim {
namespace {

using Json = nlohmann::ordered_json;
using At = hw::SteppingEngine::At;

/// What the row at hand waited for behind the row before it.
struct Wait {
  std::uint64_t cycles = 0;
  std::string reason;                   ///< Key of JSON; empty if it did not wait.
  std::uint32_t number = PPU_NONE;      ///< Of the body that it waited for ...
  std::optional<std::uint32_t> writer;  ///< ... and the slot that wrote what it waited for.
};

/// The row whose write of a body or impulse of `row` was there from `ready` on; it has issued among
/// the last rows.
void find_writer(const View& view, const ppu_row& row, std::uint64_t ready, Wait* wait) {
  const std::vector<hw::RowTimes>& rows = view.run().observed().rows;
  // The log is in the order of issue.
  const std::uint64_t issue = view.engine().times()->issue;
  const auto end = std::lower_bound(
      rows.begin(), rows.end(), issue,
      [](const hw::RowTimes& other, std::uint64_t cycle) { return other.issue < cycle; });
  for (auto n = end - rows.begin(); n-- > 0;) {
    const hw::RowTimes& before = rows[static_cast<std::size_t>(n)];
    if (before.write == hw::kNever) continue;
    const ppu_row& other = view.engine().row(before.slot);
    const std::uint64_t second_write = view.engine().shares_bank(other) ? 1 : 0;
    for (const std::uint32_t body : {row.body_a, row.body_b}) {
      if (body == PPU_NONE) continue;
      if ((body == other.body_a && before.write == ready) ||
          (body == other.body_b && before.write + second_write == ready)) {
        wait->number = body;
        wait->writer = before.slot;
        return;
      }
    }
    if (before.write + second_write < ready) return;
  }
}

/// What the row at hand waited for behind the begin of its pass: the last of its tokens, or its
/// turn.
Wait find_tokens(const View& view, const hw::SteppingEngine::Waits& waits, const ppu_row& row) {
  Wait wait;
  if (waits.bodies <= waits.turn) return wait;
  wait.cycles = waits.issue - waits.bodies;
  wait.reason = "token";
  find_writer(view, row, waits.bodies, &wait);
  return wait;
}

Wait find_wait(const View& view) {
  const hw::SteppingEngine::Waits waits = view.engine().waits();
  const ppu_row& row = view.engine().row(view.state().pass.next);
  Wait wait;
  if (view.engine().flow()) return find_tokens(view, waits, row);
  if (view.state().rows_issued == 0 || waits.issue <= waits.turn + 1) return wait;
  wait.cycles = waits.issue - waits.turn - 1;
  // A row with both bodies in one bank reads one of them a cycle before it issues.
  const std::uint64_t ready = waits.issue - (view.engine().shares_bank(row) ? 1 : 0);
  if (waits.bodies == ready) {
    wait.reason = "body";
    find_writer(view, row, ready, &wait);
  } else if (waits.impulses == ready) {
    wait.reason = "impulse";
  } else if (waits.pipe == ready) {
    wait.reason = "pipe";
  } else {
    wait.reason = view.state().pass.next == view.state().pass.first ? "pass" : "unknown";
  }
  return wait;
}

std::string wait_text(const View& view, const Wait& wait) {
  if (wait.reason.empty()) return "";
  if (wait.reason == "token") {
    const std::string then = wait.cycles == 0
                                 ? "and it issued at once\n"
                                 : "and it issued " + counted(wait.cycles, "cycle") + " later\n";
    if (!wait.writer) return "its last token came, " + then;
    return "its last token came from " + view.row_name(*wait.writer) + " with " +
           view.body_name(wait.number) + ", " + then;
  }
  std::string text = "waited " + grouped(wait.cycles) + " cycles behind the row before it: ";
  if (wait.reason == "body" && wait.writer)
    return text + view.body_name(wait.number) + " was under way in " + view.row_name(*wait.writer) +
           "\n";
  if (wait.reason == "body") return text + "one of its bodies was under way\n";
  if (wait.reason == "impulse") return text + "its impulse or its parent's was under way\n";
  if (wait.reason == "pipe") return text + "its pipe was taken\n";
  if (wait.reason == "pass") return text + "its pass began\n";
  return text + "its record, a bank or rows passed over, which the log does not tell\n";
}

Json wait_json(const View& view, const Wait& wait) {
  if (wait.reason.empty()) return Json();
  Json json{{"cycles", wait.cycles}, {"for", wait.reason}};
  if (!wait.writer) return json;
  json["body"] = view.body_json(wait.number);
  json["slot"] = *wait.writer;
  json["row"] = view.run().row_of(*wait.writer);
  return json;
}

void add_line(const View& view, Answer* answer) {
  const std::uint32_t address = view.state().instruction;
  if (address >= view.program().assembly.source.size()) return;
  const firmware::SourceText& source = view.source(address);
  answer->text += address_text(address) + "  " + (source.label.empty() ? "" : source.label + ": ") +
                  source.text + "  ; " + view.program().file + ":" + std::to_string(source.line) +
                  "\n";
  answer->json["label"] = source.label.empty() ? Json() : Json(source.label);
  answer->json["text"] = source.text;
  answer->json["file"] = view.program().file;
  answer->json["line"] = source.line;
}

void add_row(const View& view, Answer* answer) {
  const hw::SteppingEngine::Pass& pass = view.state().pass;
  const ppu_row& row = view.engine().row(pass.next);
  const std::uint32_t number = view.run().row_of(pass.next);
  const char* const kind = kind_name(view.problem.kind[number]);
  answer->text +=
      "pass " + std::to_string(view.state().passes) + " of kernel " + view.kernel_name() +
      ", slots " + std::to_string(pass.first) + ".." + std::to_string(pass.end - 1) +
      (pass.passed_over > 0 ? ", " + grouped(pass.passed_over) + " rows passed over so far" : "") +
      "\n" + view.row_name(pass.next) + ": " + kind + ", " + view.body_name(row.body_a) + " and " +
      view.body_name(row.body_b) + "\n";
  answer->json["kernel"] = view.kernel_name();
  answer->json["pass"] = view.state().passes;
  answer->json["first_slot"] = pass.first;
  answer->json["last_slot"] = pass.end - 1;
  answer->json["passed_over"] = pass.passed_over;
  answer->json["slot"] = pass.next;
  answer->json["row"] = number;
  answer->json["kind"] = kind;
  answer->json["bodies"] = {view.body_json(row.body_a), view.body_json(row.body_b)};
}

void add_times(const View& view, Answer* answer) {
  const hw::RowTimes* const times = view.engine().times();
  answer->json["pipe"] = times != nullptr ? Json(times->pipe) : Json();
  answer->json["cycle"] = times != nullptr ? Json(times->issue) : Json();
  answer->json["write_cycle"] =
      times != nullptr && times->write != hw::kNever ? Json(times->write) : Json();
  if (times == nullptr) {
    answer->text += "issues in cycle -\n";
    return;
  }
  const Wait wait = find_wait(view);
  answer->json["waited"] = wait_json(view, wait);
  answer->text += "issues in cycle " + grouped(times->issue) + " on pipe " +
                  std::to_string(times->pipe) + ", writes in cycle " +
                  (times->write == hw::kNever ? "-" : grouped(times->write)) + "\n" +
                  wait_text(view, wait);
}

/// Instructions have no events: their place in time is behind the last row before them.
void add_last_row(const View& view, Answer* answer) {
  const hw::SteppingEngine::State& state = view.state();
  const std::string passes = std::to_string(state.passes_ended);
  answer->text += state.passes_ended == 0 ? "no pass has ended" : "passes ended: " + passes;
  answer->json["passes_ended"] = state.passes_ended;
  const std::optional<std::uint64_t> first = view.run().first_instruction();
  answer->json["cycle"] = first ? Json(*first) : Json();
  if (state.rows_issued > 0) {
    answer->json["cycle"] = state.last_issue;
    answer->text += ", the last row issued in cycle " + grouped(state.last_issue);
  } else if (first) {
    answer->text += ", the first instruction executed in cycle " + grouped(*first);
  }
  if (state.cut) answer->text += "; the budget is spent, rows begin no more";
  answer->json["late"] = state.cut;
  answer->text += "\n";
}

std::string fault_text(std::uint32_t detail) {
  for (const spec::FaultDetailInfo& known : spec::kFaultDetails)
    if (static_cast<std::uint32_t>(known.value) == detail) return std::string(known.doc);
  return std::to_string(detail);
}

void add_end(const View& view, Answer* answer) {
  const hw::SteppingEngine::State& state = view.state();
  const ppu_run_status status = state.stop ? state.stop->status : PPU_RUN_OK;
  answer->json["status"] = ppu_run_status_string(status);
  answer->json["progress"] = state.report.progress;
  answer->text += "the run has ended";
  if (!state.stop && state.mismatch.empty())
    answer->text += " with progress " + grouped(state.report.progress);
  if (state.stop) answer->text += std::string(" with ") + ppu_run_status_string(status);
  if (state.stop && state.stop->row != PPU_NONE) {
    answer->json["slot"] = state.stop->row;
    answer->json["row"] = view.run().row_of(state.stop->row);
    answer->text += " in " + view.row_name(state.stop->row) + ": " + fault_text(state.stop->detail);
  }
  answer->text += "\n";
}

}  // namespace

Answer show_where(const View& view) {
  static constexpr const char* kPlaces[] = {"instruction", "row", "end"};
  const hw::SteppingEngine::State& state = view.state();
  Answer answer;
  answer.json["step"] = state.position;
  answer.json["steps"] = view.run().history().steps();
  answer.json["run"] = view.number;
  answer.json["at"] = kPlaces[static_cast<std::size_t>(state.at)];
  answer.json["pc"] = state.instruction;
  answer.text = "step " + grouped(state.position) + " of " + grouped(view.run().history().steps()) +
                (view.walk.runs() > 1 ? ", run " + std::to_string(view.number) : "") + "\n";
  add_line(view, &answer);
  if (state.at == At::kRow) {
    add_row(view, &answer);
    add_times(view, &answer);
  } else {
    add_last_row(view, &answer);
  }
  if (state.at == At::kEnd) add_end(view, &answer);
  if (!state.mismatch.empty()) {
    answer.json["mismatch"] = state.mismatch;
    answer.text += "MISMATCH before this step: " + state.mismatch + "\n";
  }
  return answer;
}

}  // namespace ppu::sim
