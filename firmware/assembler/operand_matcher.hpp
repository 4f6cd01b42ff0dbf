// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Compares the operands of a kernel statement with the operand patterns of a kernel operation.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "firmware/assembler/encoding.hpp"
#include "firmware/assembler/source.hpp"

namespace ppu::firmware {

/// What a name of the program stands for in the row pipe.
struct Value {
  std::string_view net;      ///< Empty: anything, after an error.
  std::string_view definer;  ///< Name of the operation that computed it ...
  Place place;               ///< ... and where.
};

class OperandMatcher {
 public:
  /// For the statements `body` of one kernel.
  OperandMatcher(const std::vector<Statement>& body, Report& report)
      : body_(body), report_(report) {}

  /// How badly `statement` fits `op`, 0 if it does; both have equally many operands.
  [[nodiscard]] int mismatches(const Statement& statement, const spec::KernelOp& op) const;

  /// Reports every operand that does not fit `op`.
  void explain(const Statement& statement, const spec::KernelOp& op) const;

  /// The results of `op` become known under the names that `statement` gives them.
  void define_results(const Statement& statement, const spec::KernelOp& op);

  /// After an error: `name` fits everywhere from now on.
  void forgive(std::string_view name) { values_[name] = Value{}; }

  [[nodiscard]] bool knows(std::string_view name) const { return values_.count(name) != 0; }

 private:
  [[nodiscard]] bool fits(const Statement& statement, const spec::KernelOp& op,
                          std::size_t index) const;
  [[nodiscard]] bool result_fits(const Statement& statement, const spec::KernelOp& op,
                                 std::size_t index) const;
  [[nodiscard]] bool is_net(std::string_view name, std::string_view net) const;
  /// The program's name for `net`, or "" if it has none yet.
  [[nodiscard]] std::string_view name_of(std::string_view net) const;

  void explain_result(const Statement& statement, const spec::KernelOp& op,
                      std::size_t index) const;
  void explain_operand(const Statement& statement, const spec::KernelOp& op,
                       std::size_t index) const;
  /// Where a statement below `statement` makes what has to stand at `index`, under the name that
  /// stands there.
  [[nodiscard]] std::optional<Place> made_below(const Statement& statement,
                                                const spec::KernelOp& op, std::size_t index) const;
  /// Says how to get the value at `index`; never with the words of `statement` itself.
  [[nodiscard]] std::string advice(const Statement& statement, const spec::KernelOp& op,
                                   std::size_t index) const;
  struct Objection {
    Error code;
    std::string reason;
    Help help;
  };
  /// What is wrong with the name, row field or number `token` where `must_be` has to stand.
  [[nodiscard]] Objection object(const Token& token, const std::string& must_be) const;

  const std::vector<Statement>& body_;
  Report& report_;
  std::map<std::string_view, Value> values_;
};

/// "write `dot u, r.J, v, r.b` or `dot u, r.J, v, bb`"
std::string legal_forms(std::string_view name);

}  // namespace ppu::firmware
