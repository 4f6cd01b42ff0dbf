// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Sentences about what went wrong, from what the device reports.
#include "driver/device/outcome.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string_view>

#include "driver/base/failure.hpp"
#include "hw/contract/device_memory_flips.hpp"

namespace ppu::driver {
namespace {

/// A sentence of the specification as a part of another one.
std::string as_clause(std::string_view doc) {
  std::string clause(doc);
  if (!clause.empty() && clause.back() == '.') clause.pop_back();
  // Names of fields keep their letters.
  if (clause.size() > 1 && std::islower(static_cast<unsigned char>(clause[1])) != 0)
    clause[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(clause[0])));
  return clause;
}

std::string fault_clause(std::uint32_t detail) {
  for (const spec::FaultDetailInfo& known : spec::kFaultDetails)
    if (static_cast<std::uint32_t>(known.value) == detail) return as_clause(known.doc);
  return "fault " + std::to_string(detail);
}

std::string status_clause(std::uint32_t status) {
  for (const spec::RunStatusInfo& known : spec::kRunStatuses)
    if (static_cast<std::uint32_t>(known.value) == status)
      return std::string(known.name) + ": " + as_clause(known.doc);
  return "status " + std::to_string(status);
}

/// What is wrong with a row record, with the number that it has.
std::string bad_row_clause(const hw::RunReport& report, const hw::RunCommand& run) {
  const std::uint32_t found = report.fault_value;
  text::Sentence clause;
  const auto index = [&](const char* field, const char* expected, std::uint32_t count,
                         const char* things) {
    clause << field << " is " << found << ", expected none (" << PPU_NONE << ") or " << expected
           << " less than " << count << ", the " << things << " of the run";
  };
  switch (report.fault_detail) {
    case PPU_FAULT_BODY_A:
      index("body_a", "a body", run.body_count, "bodies");
      break;
    case PPU_FAULT_BODY_B:
      index("body_b", "a body", run.body_count, "bodies");
      break;
    case PPU_FAULT_SAME_BODY:
      clause << "body_a and body_b are both " << found << ", expected two different bodies";
      break;
    case PPU_FAULT_PARENT:
      index("parent", "another slot", run.row_count, "rows");
      break;
    default:
      return fault_clause(report.fault_detail);
  }
  return clause.str();
}

/// Which word of which memory is lost.
std::string memory_clause(const hw::RunReport& report) {
  for (const spec::FaultDetailInfo& known : spec::kFaultDetails) {
    if (static_cast<std::uint32_t>(known.value) != report.fault_detail) continue;
    text::Sentence clause;
    clause << "two bits of word " << report.fault_value << " of " << known.name
           << " have flipped: run it again; a device that says so again is broken";
    return clause.str();
  }
  return fault_clause(report.fault_detail);
}

bool has_kernel(const std::vector<std::uint32_t>& words) {
  return std::any_of(words.begin(), words.end(), [](std::uint32_t word) {
    return spec::decode(word).opcode == static_cast<std::uint32_t>(spec::Opcode::kKernel);
  });
}

bool has_tagged_kernel(const std::vector<std::uint32_t>& words) {
  return std::any_of(words.begin(), words.end(), [](std::uint32_t word) {
    return spec::find_op(spec::decode(word).opcode) != nullptr &&
           spec::ControlWord{word & ((1U << spec::kControlBits) - 1U)}.filter() ==
               spec::Filter::kOn;
  });
}

/// What can be wrong with a `rows` of the program; its matrices are of one form, that of the run.
std::string rows_clause(const std::vector<std::uint32_t>& words, const spec::Fields& rows,
                        std::uint32_t row_count) {
  std::string clause = "`rows` before any `kernel`";
  if (!has_kernel(words)) return clause;
  clause += ", or of rows that are not among the " + std::to_string(row_count) + " of the run";
  if (rows.ra != 0 && has_tagged_kernel(words))
    clause += ", or of a `tagged` kernel from another row than 0";
  return clause;
}

/// Programs are checked when they are loaded: three instructions are left that a run may find
/// illegal.
std::string instruction_clause(const std::vector<std::uint32_t>& words, std::uint32_t address,
                               std::uint32_t row_count) {
  const std::string place = "instruction at word " + std::to_string(address) + ": ";
  const spec::Fields fields =
      address < words.size() ? spec::decode(words[address]) : spec::Fields{};
  switch (static_cast<spec::Opcode>(fields.opcode)) {
    case spec::Opcode::kRows:
      return place + rows_clause(words, fields, row_count);
    case spec::Opcode::kBudget:
      return place + "`budget` of other than 0 cycles, but the back end has no time";
    case spec::Opcode::kAhead:
      return place + "`ahead` before any `settle`";
    default:
      return place + "no control instruction";
  }
}

std::string error_clause(const CommandError& error) {
  for (const spec::CommandErrorInfo& known : spec::kCommandErrors)
    if (known.value == error.reason) {
      std::string clause = as_clause(known.doc);
      if (error.reason == PPU_COMMAND_ERROR_DESCRIPTOR)
        clause += " (" + std::to_string(error.detail) + ")";
      if (error.reason == PPU_COMMAND_ERROR_CHECKSUM) {
        char found[16];
        std::snprintf(found, sizeof found, " (0x%08x)", error.detail);
        clause += found;
      }
      return std::string(known.name) + ": " + clause;
    }
  return "reason " + std::to_string(error.reason);
}

[[noreturn]] void fail_command(const Batch& batch, const CommandError& error) {
  fail(PPU_ERROR_COMMAND, "command ", error.command, " of the list, ",
       name_of(batch.command(error.command)),
       error.reason == PPU_COMMAND_ERROR_QUOTA ? ", was ended: " : ", was rejected: ",
       error_clause(error));
}

/// A word of device memory is lost, for whichever command read it.
void check_memory(const Batch& batch) {
  for (const CommandError& error : batch.errors())
    if (error.reason == PPU_COMMAND_ERROR_MEMORY)
      fail(PPU_ERROR_FAULT, "two bits of the 8 bytes at ",
           std::uint64_t{error.detail} * hw::DeviceMemoryFlips::kWordBytes,
           " in device memory have flipped: copy in anew what lies there, and run it again; a "
           "device that says so again is broken");
}

/// A raw run has its report where only its owner knows; what its error entry says is left.
[[noreturn]] void fail_raw_run(const Batch& batch, const CommandError& error) {
  const auto status = static_cast<ppu_run_status>(error.detail);
  fail(result_of(status), "command ", error.command, " of the list, ",
       name_of(batch.command(error.command)), ", has failed: ", status_clause(error.detail));
}

[[noreturn]] void fail_run(const Batch& batch, std::uint32_t run) {
  const hw::RunReport& report = batch.report(run);
  text::Sentence sentence;
  if (batch.runs() > 1) sentence << "run " << run << " of the list: ";
  if (report.fault_row != PPU_NONE) sentence << "slot " << report.fault_row << ": ";
  sentence << sentence_of(batch, run);
  throw Failure(result_of(report.status), sentence.str());
}

}  // namespace

ppu_result result_of(ppu_run_status status) {
  switch (status) {
    case PPU_RUN_OK:
      return PPU_OK;
    case PPU_RUN_MISMATCH:
      return PPU_ERROR_MISMATCH;
    case PPU_RUN_CANCELLED:
      return PPU_ERROR_CANCELLED;
    case PPU_RUN_BAD_COMMAND:
      return PPU_ERROR_COMMAND;
    case PPU_RUN_RUNNING:
    case PPU_RUN_ROW_FAULT:
    case PPU_RUN_ILLEGAL_INSTRUCTION:
    case PPU_RUN_BAD_ROW:
    case PPU_RUN_MEMORY_FAULT:
      break;
  }
  return PPU_ERROR_FAULT;
}

ppu_run_report public_report(const hw::RunReport& report) {
  ppu_run_report result{};
  result.status = report.status;
  result.fault_row = report.fault_row;
  result.fault_detail = report.fault_detail;
  result.progress = report.progress;
  std::memcpy(&result.last_residual, &report.last_residual, sizeof result.last_residual);
  result.engine = report.engine;
  std::copy(report.counters.begin(), report.counters.end(), result.counters);
  return result;
}

std::string sentence_of(const Batch& batch, std::uint32_t run) {
  const hw::RunReport& report = batch.report(run);
  switch (report.status) {
    case PPU_RUN_CANCELLED:
      return "the run was cancelled";
    case PPU_RUN_MISMATCH:
      return batch.device_text();
    case PPU_RUN_ILLEGAL_INSTRUCTION:
      return instruction_clause(batch.words(run), report.fault_detail,
                                batch.run_def(run).row_count);
    case PPU_RUN_BAD_ROW:
      return bad_row_clause(report, batch.run_def(run));
    case PPU_RUN_BAD_COMMAND:
      return "the device has rejected the run";
    case PPU_RUN_MEMORY_FAULT:
      return memory_clause(report);
    default:
      return fault_clause(report.fault_detail);
  }
}

void check_commands(const Batch& batch) {
  check_memory(batch);
  for (const CommandError& error : batch.errors())
    if (error.reason != PPU_COMMAND_ERROR_RUN_FAILED) fail_command(batch, error);
}

void check_outcome(const Batch& batch) {
  check_memory(batch);
  // Errors are in the order of the commands.
  for (const CommandError& error : batch.errors()) {
    if (error.reason != PPU_COMMAND_ERROR_RUN_FAILED) fail_command(batch, error);
    if (const auto run = batch.run_of(error.command)) fail_run(batch, *run);
    fail_raw_run(batch, error);
  }
  // Errors beyond the device's queue are lost; the reports of runs are not.
  for (std::uint32_t run = 0; run < batch.runs(); ++run)
    if (batch.report(run).status != PPU_RUN_OK) fail_run(batch, run);
  if (batch.lost_errors() > 0)
    fail(PPU_ERROR_COMMAND, "the device may have rejected commands of the list; ",
         batch.lost_errors(), " errors found its error queue full");
}

}  // namespace ppu::driver
