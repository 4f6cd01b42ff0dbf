// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The assembly text of random programs.
#include <algorithm>
#include <set>

#include "firmware/assembler/encoding.hpp"
#include "firmware/random/random_program.hpp"

namespace ppu::firmware {
namespace {

using Kind = ProgramItem::Kind;

const std::string kZero(spec::kRegisterNames.front());
const std::string kRowCount(
    spec::kRegisterNames[spec::kFirstArgumentRegister +
                         static_cast<std::size_t>(spec::Argument::kRowCount)]);

std::string name_of(spec::Opcode opcode) {
  return std::string(find_instruction(static_cast<std::uint32_t>(opcode))->name);
}

std::string number(std::uint32_t value) {
  return std::to_string(value);
}

std::string kernel_name(std::uint32_t index) {
  return "k" + number(index);
}

class Writer {
 public:
  Writer(const RandomProgram& program, bool timed) : program_(program), timed_(timed) {}

  std::string write() {
    write_items(program_.items);
    line(name_of(spec::Opcode::kHalt));
    for (const std::uint32_t kernel : loaded_) {
      text_ += "\n.kernel " + kernel_name(kernel) + "\n";
      for (const spec::KernelOp* op : program_.kernels[kernel]) line(syntax(*op));
      text_ += ".end\n";
      ++words_;
    }
    return std::move(text_);
  }

  [[nodiscard]] std::uint32_t words() const { return words_; }

 private:
  void write_items(const std::vector<ProgramItem>& items) {
    for (const ProgramItem& item : items) write_item(item);
  }

  void write_item(const ProgramItem& item) {
    switch (item.kind) {
      case Kind::kLines:
        return line(item.text);
      case Kind::kKernel:
        loaded_.insert(item.kernel);
        return line(name_of(spec::Opcode::kKernel) + " " + kernel_name(item.kernel));
      case Kind::kPass:
        return write_pass(item);
      case Kind::kBudget:
        if (timed_) load(item.register_a, item.count);
        return line(name_of(spec::Opcode::kBudget) + " " + (timed_ ? item.register_a : kZero));
      case Kind::kLoop:
        return write_loop(item);
      case Kind::kSkip: {
        const std::string target = "skip" + number(labels_++);
        const bool operands = item.text.find(' ') != std::string::npos;
        line(item.text + (operands ? ", " : " ") + target);
        write_items(item.body);
        return label(target);
      }
    }
  }

  void write_pass(const ProgramItem& pass) {
    const std::string rows = name_of(spec::Opcode::kRows);
    if (pass.whole) return line(rows + " " + kZero + ", " + kRowCount);
    if (pass.first != 0) load(pass.register_a, pass.first);
    load(pass.register_b, pass.count);
    line(rows + " " + (pass.first != 0 ? pass.register_a : kZero) + ", " + pass.register_b);
  }

  void write_loop(const ProgramItem& loop) {
    const std::string begin = "loop" + number(labels_++);
    load(loop.register_a, loop.count);
    label(begin);
    write_items(loop.body);
    line(name_of(spec::Opcode::kAddi) + " " + loop.register_a + ", " + loop.register_a + ", -1");
    line(name_of(spec::Opcode::kBne) + " " + loop.register_a + ", " + kZero + ", " + begin);
  }

  void load(const std::string& target, std::uint32_t value) {
    line(name_of(spec::Opcode::kLi) + " " + target + ", " + number(value));
  }
  void label(const std::string& name) { text_ += name + ":\n"; }
  void line(const std::string& instruction) {
    text_ += "    " + instruction + "\n";
    ++words_;
  }

  const RandomProgram& program_;
  bool timed_;
  std::string text_;
  std::uint32_t words_ = 0;
  std::uint32_t labels_ = 0;
  std::set<std::uint32_t> loaded_;
};

}  // namespace

std::string RandomProgram::text(bool timed) const {
  return Writer(*this, timed).write();
}

std::uint32_t RandomProgram::words() const {
  Writer writer(*this, true);
  writer.write();
  return writer.words();
}

}  // namespace ppu::firmware
