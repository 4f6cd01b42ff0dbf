// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "firmware/assembler/source.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "firmware/assembler/encoding.hpp"

namespace ppu::firmware {
namespace {

constexpr std::string_view kKernelDirective = ".kernel";
constexpr std::string_view kEndDirective = ".end";

int length_of(const Token& token) {
  return static_cast<int>(token.text.size());
}

class Parser {
 public:
  explicit Parser(Report& report) : report_(report) {}

  void parse_line(int number, std::string_view line) {
    report_.set_line(number);
    std::vector<Token> tokens;
    const bool readable = tokenize(line, report_, tokens);
    const std::size_t first = take_labels(tokens);
    if (first == tokens.size()) return;
    Statement statement;
    statement.line = number;
    statement.mnemonic = tokens[first];
    if (is_unknown(statement.mnemonic)) {
      // Whoever places the statement says so, which comes before what is wrong with the rest.
      std::copy_if(tokens.begin() + static_cast<std::ptrdiff_t>(first) + 1, tokens.end(),
                   std::back_inserter(statement.operands),
                   [](const Token& token) { return token.kind == Token::Kind::kName; });
    } else {
      statement.flawed = !readable || !take_operands(tokens, first, statement);
    }
    place(std::move(statement));
  }

  Source finish() {
    if (in_kernel_) {
      const SourceKernel& open = source_.kernels.back();
      report_.error(Error::kKernelOpen, place_of(open.head, open.head.mnemonic),
                    "this kernel has no `.end`", {"close it with a line `.end`", {}, {}});
    }
    for (const auto& [name, label] : labels_at_end_) {
      report_.error(
          Error::kLabelAtEnd, label, "label " + quoted(name) + " marks no instruction",
          {"kernels stand behind the control code; put a control instruction after it", {}, {}});
    }
    return std::move(source_);
  }

 private:
  static bool is_unknown(const Token& mnemonic) {
    return mnemonic.kind == Token::Kind::kName && find_instruction(mnemonic.text) == nullptr &&
           ops_named(mnemonic.text).empty();
  }

  /// Defines the labels that begin the line; returns the index of the first token after them.
  std::size_t take_labels(const std::vector<Token>& tokens) {
    std::size_t at = 0;
    while (at + 1 < tokens.size() && tokens[at].kind == Token::Kind::kName &&
           tokens[at + 1].kind == Token::Kind::kColon) {
      const Token& name = tokens[at];
      if (in_kernel_) {
        report_.error(Error::kLabelInKernel, name.column, length_of(name),
                      "a label inside a kernel",
                      "kernels have no branches: every row takes all operations");
      } else if (define(name, {Symbol::Kind::kLabel, source_.control.size(), here(name)})) {
        labels_at_end_.emplace_back(name.text, here(name));
      }
      at += 2;
    }
    return at;
  }

  /// operand [, operand]...
  bool take_operands(const std::vector<Token>& tokens, std::size_t first, Statement& statement) {
    const Token& head = tokens[first];
    if (head.kind != Token::Kind::kName && head.kind != Token::Kind::kDirective) {
      report_.error(Error::kNoStatement, head.column, length_of(head),
                    quoted(head.text) + " begins no statement",
                    "a statement begins with an instruction, a kernel operation or a directive");
      return false;
    }
    for (std::size_t i = first + 1; i < tokens.size(); ++i) {
      const Token& token = tokens[i];
      const bool operand = (i - first) % 2 == 1;
      if (!operand && token.kind != Token::Kind::kComma) {
        report_.error(Error::kComma, token.column, length_of(token),
                      "expected `,` before " + quoted(token.text));
        return false;
      }
      if (token.kind == Token::Kind::kNotANumber) {
        report_.error(Error::kNotANumber, token.column, length_of(token),
                      quoted(token.text) + " is not a number",
                      "numbers are decimal (12, -3) or hexadecimal (0x1f)");
        return false;
      }
      if (operand && token.kind != Token::Kind::kName && token.kind != Token::Kind::kNumber) {
        report_.error(Error::kOperandMissing, token.column, length_of(token),
                      "expected an operand, got " + quoted(token.text));
        return false;
      }
      if (operand) statement.operands.push_back(token);
    }
    const Token& last = tokens.back();
    if (last.kind == Token::Kind::kComma) {
      report_.error(Error::kOperandMissing, last.column, length_of(last),
                    "expected an operand after `,`");
      return false;
    }
    return true;
  }

  void place(Statement statement) {
    const std::string_view name = statement.mnemonic.text;
    if (statement.mnemonic.kind == Token::Kind::kDirective) {
      if (name == kKernelDirective) return open_kernel(std::move(statement));
      if (name == kEndDirective) return close_kernel(std::move(statement));
      report_.error(Error::kDirective, statement.mnemonic.column, length_of(statement.mnemonic),
                    "unknown directive " + quoted(name),
                    did_you_mean(name, {kKernelDirective, kEndDirective}));
      return;
    }
    if (!in_kernel_ && !labels_at_end_.empty()) {
      statement.label = labels_at_end_.back().first;
      labels_at_end_.clear();
    }
    (in_kernel_ ? source_.kernels.back().body : source_.control).push_back(std::move(statement));
  }

  void open_kernel(Statement head) {
    if (in_kernel_) {
      const SourceKernel& open = source_.kernels.back();
      report_.error(Error::kKernelInKernel, here(head.mnemonic), "a kernel inside a kernel",
                    {"close that one with `.end` first", "it was opened here",
                     place_of(open.head, open.head.mnemonic)});
    }
    SourceKernel kernel;
    const bool named = head.operands.size() == 1 && head.operands[0].kind == Token::Kind::kName;
    if (named) {
      kernel.name = head.operands[0].text;
      define(head.operands[0],
             {Symbol::Kind::kKernel, source_.kernels.size(), here(head.operands[0])});
    } else if (!head.flawed) {
      report_.error(Error::kKernelName, head.mnemonic.column, length_of(head.mnemonic),
                    "`.kernel` takes one operand, the kernel's name", "write `.kernel NAME`");
    }
    kernel.head = std::move(head);
    source_.kernels.push_back(std::move(kernel));
    in_kernel_ = true;
  }

  void close_kernel(Statement end) {
    if (!in_kernel_) {
      report_.error(Error::kEndAlone, end.mnemonic.column, length_of(end.mnemonic),
                    "`.end` without `.kernel`", "open a kernel with `.kernel NAME`");
      return;
    }
    if (!end.flawed && !end.operands.empty()) {
      report_.error(Error::kEndOperand, end.operands[0].column, length_of(end.operands[0]),
                    "`.end` takes no operand");
    }
    source_.kernels.back().end = std::move(end);
    in_kernel_ = false;
  }

  /// The place of `token` on the line that is parsed.
  [[nodiscard]] Place here(const Token& token) const {
    return {report_.line(), token.column, length_of(token)};
  }

  bool define(const Token& name, Symbol symbol) {
    const bool is_register = std::find(spec::kRegisterNames.begin(), spec::kRegisterNames.end(),
                                       name.text) != spec::kRegisterNames.end();
    if (is_register || name.text.find('.') != std::string_view::npos) {
      report_.error(Error::kName, name.column, length_of(name),
                    quoted(name.text) + " cannot name a label or kernel",
                    is_register ? "it is a register" : "names are letters, digits and `_`");
      return false;
    }
    const auto [known, fresh] = source_.symbols.emplace(name.text, symbol);
    if (!fresh) {
      report_.error(Error::kDefinedTwice, here(name), quoted(name.text) + " is already defined",
                    {"labels and kernels share their names; choose another", "it was defined here",
                     known->second.place});
    }
    return fresh;
  }

  Report& report_;
  Source source_;
  bool in_kernel_ = false;
  std::vector<std::pair<std::string_view, Place>> labels_at_end_;
};

}  // namespace

Place place_of(const Statement& statement, const Token& token) {
  return {statement.line, token.column, length_of(token)};
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (true) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    lines.push_back(line);
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

Source parse(const std::vector<std::string_view>& lines, Report& report) {
  Parser parser(report);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    parser.parse_line(static_cast<int>(i) + 1, lines[i]);
  }
  return parser.finish();
}

}  // namespace ppu::firmware
