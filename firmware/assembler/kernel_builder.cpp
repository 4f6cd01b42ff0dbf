// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "firmware/assembler/kernel_builder.hpp"

#include <optional>
#include <string>

#include "firmware/assembler/encoding.hpp"
#include "firmware/assembler/operand_matcher.hpp"

namespace ppu::firmware {
namespace {

/// The operation every kernel begins with: it fetches the row.
const spec::KernelOp& row_op() {
  return spec::kKernelOps.front();
}

bool starts_before(const spec::KernelOp& a, const spec::KernelOp& b) {
  return cycles(a.start, spec::Config{}) < cycles(b.start, spec::Config{});
}

bool is_result(const spec::KernelOp& op, std::string_view net) {
  for (int i = 0; i < op.results; ++i) {
    if (op.operands.at(static_cast<std::size_t>(i)) == net) return true;
  }
  return false;
}

bool reads(const spec::KernelOp& op, std::string_view net) {
  for (int i = op.results; i < operand_count(op); ++i) {
    if (op.operands.at(static_cast<std::size_t>(i)) == net) return true;
  }
  return false;
}

bool leads(spec::ControlWord control) {
  return control.lead() == spec::Lead::kOn;
}
bool leads(const spec::KernelOp& op) {
  return leads(spec::ControlWord{op.bits});
}

bool stores_impulse(spec::ControlWord control) {
  return control.store_impulse() == spec::StoreImpulse::kOn;
}
bool stores_impulse(const spec::KernelOp& op) {
  return stores_impulse(spec::ControlWord{op.bits});
}

std::string field_value(const spec::ControlField& field, std::uint32_t bits) {
  const std::uint32_t value = bits >> field.lsb & ((1U << field.width) - 1U);
  return std::string(field.name) + " = " + std::string(field.values.at(value));
}

class Builder {
 public:
  Builder(const SourceKernel& kernel, Report& report)
      : kernel_(kernel), report_(report), matcher_(kernel.body, report) {}

  std::vector<const spec::KernelOp*> build() {
    check_first();
    for (const Statement& statement : kernel_.body) {
      if (statement.flawed || !add(statement)) forgive(statement);
    }
    if (placed_.size() == kernel_.body.size()) warn();
    std::vector<const spec::KernelOp*> ops;
    for (const Placed& placed : placed_) ops.push_back(placed.op);
    return ops;
  }

 private:
  struct Placed {
    const spec::KernelOp* op;
    Place place;
  };

  void check_first() {
    const std::vector<Statement>& body = kernel_.body;
    if (!body.empty() && body.front().mnemonic.text == row_op().name) return;
    const Statement& place = body.empty() ? kernel_.head : body.front();
    if (body.empty() || !ops_named(place.mnemonic.text).empty()) {
      fail(Error::kFirstOperation, place, "a kernel begins with " + quoted(row_op().name),
           {"write " + quoted(syntax(row_op())) + " as its first operation", {}, {}});
    }
    matcher_.forgive(row_op().operands.front());
  }

  /// Appends the operation that the statement asks for; false if there is none.
  bool add(const Statement& statement) {
    const std::vector<const spec::KernelOp*> forms = ops_named(statement.mnemonic.text);
    if (forms.empty()) {
      report_unknown(statement);
      return false;
    }
    if (!check_unit(statement)) return false;
    const spec::KernelOp* op = nearest_form(statement, forms);
    if (op == nullptr) {
      fail(Error::kOperationOperands, statement,
           quoted(statement.mnemonic.text) + " does not take " +
               std::to_string(statement.operands.size()) + " operands",
           {legal_forms(statement.mnemonic.text), {}, {}});
      return false;
    }
    if (!check_control(statement, *op)) return false;
    if (matcher_.mismatches(statement, *op) != 0) {
      matcher_.explain(statement, *op);
      return false;
    }
    check_update(statement, *op);
    matcher_.define_results(statement, *op);
    placed_.push_back({op, place_of(statement, statement.mnemonic)});
    return true;
  }

  /// Of the forms with as many operands the one that fits best, where two fit equally one that
  /// agrees with the kernel; null if there is none.
  const spec::KernelOp* nearest_form(const Statement& statement,
                                     const std::vector<const spec::KernelOp*>& forms) const {
    const spec::KernelOp* nearest = nullptr;
    int least = 0;
    for (const spec::KernelOp* op : forms) {
      if (operand_count(*op) != static_cast<int>(statement.operands.size())) continue;
      const int misfit = 2 * matcher_.mismatches(statement, *op) + (find_conflict(*op) ? 1 : 0);
      if (nearest == nullptr || misfit < least) {
        nearest = op;
        least = misfit;
      }
    }
    return nearest;
  }

  /// Every unit of the pipe works once per row.
  bool check_unit(const Statement& statement) {
    for (const Placed& earlier : placed_) {
      if (earlier.op->name != statement.mnemonic.text) continue;
      fail(Error::kUnitTwice, statement, "a second " + quoted(earlier.op->name) + " in one kernel",
           {"every unit of the row pipe works once per row", "the first is here", earlier.place});
      return false;
    }
    return true;
  }

  struct Conflict {
    const spec::ControlField* field;
    Placed earlier;
  };

  /// The operations of a kernel share one control word: the first field of it that an earlier
  /// operation sets to another value than `op`.
  std::optional<Conflict> find_conflict(const spec::KernelOp& op) const {
    for (const spec::ControlField& field : spec::kControlFields) {
      const std::uint32_t mask = ((1U << field.width) - 1U) << field.lsb;
      for (const Placed& earlier : placed_) {
        const std::uint32_t both = earlier.op->mask & op.mask & mask;
        if (((earlier.op->bits ^ op.bits) & both) != 0) return Conflict{&field, earlier};
      }
    }
    return std::nullopt;
  }

  bool check_control(const Statement& statement, const spec::KernelOp& op) {
    const std::optional<Conflict> conflict = find_conflict(op);
    if (!conflict) return true;
    const spec::ControlField& field = *conflict->field;
    const spec::KernelOp& earlier = *conflict->earlier.op;
    const std::string both = field_value(field, op.bits) + ", but " + quoted(syntax(earlier)) +
                             " sets " + field_value(field, earlier.bits);
    fail(Error::kControlField, statement, quoted(syntax(op)) + " sets " + both,
         {"a kernel has one " + quoted(field.name) + "; " + std::string(field.doc),
          quoted(earlier.name) + " is here", conflict->earlier.place});
    return false;
  }

  /// A value that is updated in place may not be read earlier in the text by an operation that the
  /// pipe runs later.
  void check_update(const Statement& statement, const spec::KernelOp& op) {
    for (const Placed& earlier : placed_) {
      for (int i = 0; i < op.results; ++i) {
        const std::string_view net = op.operands.at(static_cast<std::size_t>(i));
        if (is_result(*earlier.op, net) || !reads(*earlier.op, net)) continue;
        if (starts_before(*earlier.op, op)) continue;
        fail(Error::kUpdateTooEarly, statement,
             quoted(op.name) + " updates " + std::string(net) + ", which " +
                 quoted(earlier.op->name) + " takes after the update",
             {"put " + quoted(op.name) + " before " + quoted(earlier.op->name),
              quoted(earlier.op->name) + " is here", earlier.place});
      }
    }
  }

  /// All statements are placed.
  void warn() {
    spec::ControlWord control;
    for (const Placed& placed : placed_) control.bits |= placed.op->bits;
    warn_of_unused(control);
    warn_of_unnamed_lead(control);
    warn_of_velocity_alone(control);
  }

  /// The operations whose results nothing takes. Any `stimp` takes the lead.
  void warn_of_unused(spec::ControlWord control) {
    for (std::size_t i = 1; i < placed_.size(); ++i) {
      const spec::KernelOp& op = *placed_[i].op;
      bool used = op.results == 0 || (leads(op) && stores_impulse(control));
      for (int result = 0; result < op.results; ++result) {
        const std::string_view net = op.operands.at(static_cast<std::size_t>(result));
        for (std::size_t later = i + 1; later < placed_.size(); ++later) {
          used = used || reads(*placed_[later].op, net);
        }
      }
      if (used) continue;
      const std::vector<Token>& names = kernel_.body[i].operands;
      std::string unused = quoted(names.front().text);
      for (int result = 1; result < op.results; ++result)
        unused += " or " + quoted(names[static_cast<std::size_t>(result)].text);
      // Whoever updates velocities wants them stored.
      const bool is_update = spec::ControlWord{op.bits}.axpy() == spec::Axpy::kOn;
      report_.warning(
          Warning::kUnusedValue, place_of(kernel_.body[i], names.front()),
          "nothing takes " + unused,
          is_update ? "store it with " +
                          quoted("stvel " + std::string(names.front().text) + ", r.ia, r.ib") +
                          "; as it is, the impulse changes and the bodies do not"
                    : "remove " + quoted(op.name) +
                          ", or use what it makes; its flops count all the same");
    }
  }

  /// `stimp x` beside a `lead`: the device stores y all the same.
  void warn_of_unnamed_lead(spec::ControlWord control) {
    if (!leads(control)) return;
    std::string_view lead;
    for (std::size_t i = 0; i < placed_.size(); ++i)
      if (leads(*placed_[i].op) && placed_[i].op->results > 0)
        lead = kernel_.body[i].operands.front().text;
    for (std::size_t i = 0; i < placed_.size(); ++i) {
      const spec::KernelOp& op = *placed_[i].op;
      if (!stores_impulse(op) || leads(op)) continue;
      const std::string written = std::string(op.name) + " " +
                                  std::string(kernel_.body[i].operands.front().text) + ", " +
                                  std::string(lead);
      report_.warning(Warning::kUnnamedLead, placed_[i].place,
                      quoted(op.name) + " stores " + quoted(lead) + " too",
                      "write " + quoted(written));
    }
  }

  void warn_of_velocity_alone(spec::ControlWord control) {
    if (control.axpy() == spec::Axpy::kOff || stores_impulse(control)) return;
    for (const Placed& placed : placed_) {
      if (spec::ControlWord{placed.op->bits}.store_velocity() == spec::StoreVelocity::kOff)
        continue;
      report_.warning(Warning::kVelocityAlone, placed.place,
                      "velocities change here, and their impulse does not",
                      "store the impulse too, with `stimp`");
    }
  }

  void report_unknown(const Statement& statement) {
    const std::string_view name = statement.mnemonic.text;
    if (find_instruction(name) != nullptr) {
      fail(Error::kInstructionInKernel, statement,
           quoted(name) + " is a control instruction, not a kernel operation",
           {"close the kernel with `.end` first", {}, {}});
      return;
    }
    std::vector<std::string_view> names;
    for (const spec::KernelOp& op : spec::kKernelOps) {
      if (&op != &end_op()) names.push_back(op.name);
    }
    names.emplace_back(".end");
    fail(Error::kOperation, statement, "unknown kernel operation " + quoted(name),
         {did_you_mean(name, names), {}, {}});
  }

  /// What a flawed statement names is accepted from now on: one mistake, one message.
  void forgive(const Statement& statement) {
    const std::vector<const spec::KernelOp*> forms = ops_named(statement.mnemonic.text);
    const std::size_t results =
        forms.empty() ? 0 : static_cast<std::size_t>(forms.front()->results);
    for (std::size_t i = 0; i < statement.operands.size(); ++i) {
      const std::string_view text = statement.operands[i].text;
      const std::string_view name = text.substr(0, text.find('.'));
      if (i < results || !matcher_.knows(name)) matcher_.forgive(name);
    }
  }

  void fail(Error code, const Statement& statement, std::string reason, Help help) {
    report_.error(code, place_of(statement, statement.mnemonic), std::move(reason),
                  std::move(help));
  }

  const SourceKernel& kernel_;
  Report& report_;
  OperandMatcher matcher_;
  std::vector<Placed> placed_;
};

}  // namespace

std::vector<const spec::KernelOp*> build_kernel(const SourceKernel& kernel, Report& report) {
  return Builder(kernel, report).build();
}

}  // namespace ppu::firmware
