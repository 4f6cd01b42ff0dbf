// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "firmware/assembler/operand_matcher.hpp"

#include <algorithm>

namespace ppu::firmware {
namespace {

constexpr std::string_view kZero = "0";    // The operand pattern of a literal zero.
constexpr std::string_view kRowNet = "r";  // The net of the row in operand patterns.

std::string_view pattern(const spec::KernelOp& op, std::size_t index) {
  return op.operands.at(index);
}

bool has_dot(std::string_view text) {
  return text.find('.') != std::string_view::npos;
}
std::string_view before_dot(std::string_view text) {
  return text.substr(0, text.find('.'));
}
std::string_view after_dot(std::string_view text) {
  return text.substr(text.find('.') + 1);
}

bool is_plain_name(const Token& token) {
  return token.kind == Token::Kind::kName && !has_dot(token.text);
}

std::vector<std::string_view> row_fields() {
  std::vector<std::string_view> names;
  for (const spec::RowOperand& field : spec::kRowOperands) names.push_back(field.name);
  return names;
}

/// True if `taker` can have a result of `maker`: the pipe does not run it earlier.
bool runs_by(const spec::KernelOp& maker, const spec::KernelOp& taker) {
  return cycles(maker.start, spec::Config{}) <= cycles(taker.start, spec::Config{});
}

/// Those that make `net` for `taker`: "`max`, `med`, `mov` or `limit`"
std::string makers_of(std::string_view net, const spec::KernelOp& taker) {
  std::vector<std::string_view> makers;
  for (const spec::KernelOp& op : spec::kKernelOps) {
    const auto results_end = op.operands.begin() + op.results;
    const bool makes = std::find(op.operands.begin(), results_end, net) != results_end;
    if (!makes || !runs_by(op, taker)) continue;
    if (makers.empty() || makers.back() != op.name) makers.push_back(op.name);
  }
  std::string text = quoted(makers.front());
  for (std::size_t i = 1; i < makers.size(); ++i) {
    text += (i + 1 == makers.size() ? " or " : ", ") + quoted(makers[i]);
  }
  return text;
}

/// "x, a result of `max`, `med`, `mov` or `limit`"
std::string describe_net(std::string_view net, const spec::KernelOp& taker) {
  return std::string(net) + ", a result of " + makers_of(net, taker);
}

/// True if the operands of `statement` are, to the letter, those of a form of its operation.
bool is_word_for_word(const Statement& statement) {
  const std::vector<const spec::KernelOp*> forms = ops_named(statement.mnemonic.text);
  return std::any_of(forms.begin(), forms.end(), [&](const spec::KernelOp* op) {
    return std::equal(statement.operands.begin(), statement.operands.end(), op->operands.begin(),
                      op->operands.begin() + operand_count(*op),
                      [](const Token& token, std::string_view text) { return token.text == text; });
  });
}

/// "`rate` is u, a result of `dot`"
std::string describe(std::string_view name, const Value& value) {
  return quoted(name) + " is " + std::string(value.net) + ", a result of " + quoted(value.definer);
}

/// Adds to `help` where `name` comes from.
void note_origin(std::string_view name, const Value& value, Help& help) {
  if (value.net.empty()) return;
  help.note = quoted(name) + " was made here";
  help.place = value.place;
}

/// "operand 2 of `step`"
std::string position(const spec::KernelOp& op, std::size_t index) {
  return "operand " + std::to_string(index + 1) + " of " + quoted(op.name);
}

}  // namespace

std::string legal_forms(std::string_view name) {
  std::string text;
  for (const spec::KernelOp* op : ops_named(name)) {
    text += (text.empty() ? "write " : " or ") + quoted(syntax(*op));
  }
  return text;
}

int OperandMatcher::mismatches(const Statement& statement, const spec::KernelOp& op) const {
  int count = 0;
  for (std::size_t i = 0; i < statement.operands.size(); ++i) {
    if (fits(statement, op, i)) continue;
    // A row field in place of a value, or the other way round, is the grosser mistake.
    count += has_dot(statement.operands[i].text) == has_dot(pattern(op, i)) ? 1 : 2;
  }
  return count;
}

void OperandMatcher::explain(const Statement& statement, const spec::KernelOp& op) const {
  for (std::size_t i = 0; i < statement.operands.size(); ++i) {
    if (fits(statement, op, i)) continue;
    if (static_cast<int>(i) < op.results) {
      explain_result(statement, op, i);
    } else {
      explain_operand(statement, op, i);
    }
  }
}

void OperandMatcher::define_results(const Statement& statement, const spec::KernelOp& op) {
  for (std::size_t i = 0; i < statement.operands.size() && static_cast<int>(i) < op.results; ++i) {
    const Token& token = statement.operands[i];
    if (is_plain_name(token)) {
      values_[token.text] = Value{pattern(op, i), op.name, place_of(statement, token)};
    }
  }
}

bool OperandMatcher::is_net(std::string_view name, std::string_view net) const {
  const auto value = values_.find(name);
  return value != values_.end() && (value->second.net == net || value->second.net.empty());
}

std::string_view OperandMatcher::name_of(std::string_view net) const {
  for (const auto& [name, value] : values_) {
    if (value.net == net) return name;
  }
  return {};
}

bool OperandMatcher::result_fits(const Statement& statement, const spec::KernelOp& op,
                                 std::size_t index) const {
  const Token& token = statement.operands[index];
  if (!is_plain_name(token)) return false;
  for (std::size_t i = 0; i < index; ++i) {
    if (statement.operands[i].text == token.text) return false;
  }
  // A value that exists already is updated in place, under its own name.
  return name_of(pattern(op, index)).empty() || is_net(token.text, pattern(op, index));
}

bool OperandMatcher::fits(const Statement& statement, const spec::KernelOp& op,
                          std::size_t index) const {
  if (static_cast<int>(index) < op.results) return result_fits(statement, op, index);
  const Token& token = statement.operands[index];
  const std::string_view expected = pattern(op, index);
  if (expected == kZero) return token.kind == Token::Kind::kNumber && token.value == 0;
  if (token.kind != Token::Kind::kName || has_dot(token.text) != has_dot(expected)) return false;
  if (has_dot(expected) && after_dot(token.text) != after_dot(expected)) return false;
  return is_net(before_dot(token.text), before_dot(expected));
}

void OperandMatcher::explain_result(const Statement& statement, const spec::KernelOp& op,
                                    std::size_t index) const {
  const Token& token = statement.operands[index];
  const Place place = place_of(statement, token);
  const std::string_view net = pattern(op, index);
  if (!is_plain_name(token)) {
    report_.error(Error::kResultName, place,
                  position(op, index) + " is a result and needs a name, got " + quoted(token.text),
                  {legal_forms(op.name), {}, {}});
  } else if (const std::string_view name = name_of(net);
             !name.empty() && !is_net(token.text, net)) {
    Help help{"write " + quoted(name) + " here", {}, {}};
    note_origin(name, values_.at(name), help);
    report_.error(
        Error::kInPlace, place,
        quoted(op.name) + " updates " + quoted(name) + " in place, got " + quoted(token.text),
        std::move(help));
  } else {
    report_.error(Error::kResultsAlike, place,
                  "two results of " + quoted(op.name) + " called " + quoted(token.text),
                  {legal_forms(op.name), {}, {}});
  }
}

void OperandMatcher::explain_operand(const Statement& statement, const spec::KernelOp& op,
                                     std::size_t index) const {
  const Token& token = statement.operands[index];
  const Place place = place_of(statement, token);
  const std::string_view expected = pattern(op, index);
  const std::string must_be =
      position(op, index) + " must be " +
      (has_dot(expected) || expected == kZero ? quoted(expected) : describe_net(expected, op));
  Objection objection = object(token, must_be);
  if (const std::optional<Place> below = made_below(statement, op, index);
      below && objection.code == Error::kUndefined) {
    const std::string name = quoted(before_dot(token.text));
    objection.help = {name + " is made below, in line " + std::to_string(below->line) +
                          ": put that before this one",
                      name + " is made here", *below};
  } else if (objection.help.hint.empty()) {
    objection.help.hint = advice(statement, op, index);
  }
  report_.error(objection.code, place, std::move(objection.reason), std::move(objection.help));
}

std::optional<Place> OperandMatcher::made_below(const Statement& statement,
                                                const spec::KernelOp& op, std::size_t index) const {
  const std::string_view name = before_dot(statement.operands[index].text);
  const std::string_view net = before_dot(pattern(op, index));
  for (const Statement& later : body_) {
    if (later.line <= statement.line) continue;
    for (const spec::KernelOp* maker : ops_named(later.mnemonic.text)) {
      const std::size_t results =
          std::min(static_cast<std::size_t>(maker->results), later.operands.size());
      for (std::size_t i = 0; i < results; ++i) {
        if (later.operands[i].text != name || pattern(*maker, i) != net) continue;
        if (runs_by(*maker, op)) return place_of(later, later.operands[i]);
      }
    }
  }
  return std::nullopt;
}

std::string OperandMatcher::advice(const Statement& statement, const spec::KernelOp& op,
                                   std::size_t index) const {
  if (!is_word_for_word(statement)) return legal_forms(op.name);
  const std::string_view expected = pattern(op, index);
  const std::string_view net = before_dot(expected);
  const std::string_view name = name_of(net);
  if (name.empty()) return "make " + std::string(net) + " first, with " + makers_of(net, op);
  return "write " + quoted(std::string(name) + std::string(expected.substr(net.size()))) + " here";
}

OperandMatcher::Objection OperandMatcher::object(const Token& token,
                                                 const std::string& must_be) const {
  const std::string got = must_be + ", got " + quoted(token.text);
  if (token.kind != Token::Kind::kName) return {Error::kOperand, got, {}};
  const std::string_view name = before_dot(token.text);
  const auto value = values_.find(name);
  if (value == values_.end()) {
    std::vector<std::string_view> known;
    for (const auto& entry : values_) known.push_back(entry.first);
    return {Error::kUndefined,
            quoted(name) + " is not defined; " + must_be,
            {did_you_mean(name, known), {}, {}}};
  }
  Help help;
  note_origin(name, value->second, help);
  if (!has_dot(token.text)) {
    return {Error::kOperand, must_be + "; " + describe(name, value->second), help};
  }
  if (!is_net(name, kRowNet)) {
    return {Error::kNoFields, describe(name, value->second) + "; it has no fields", help};
  }
  const std::vector<std::string_view> fields = row_fields();
  const std::string_view field = after_dot(token.text);
  if (std::find(fields.begin(), fields.end(), field) == fields.end()) {
    return {Error::kRowField,
            "the row has no field " + quoted(field) + "; " + must_be,
            {did_you_mean(field, fields), {}, {}}};
  }
  return {Error::kOperand, got, {}};
}

}  // namespace ppu::firmware
