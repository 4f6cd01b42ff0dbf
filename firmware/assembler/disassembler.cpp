// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "firmware/assembler/disassembler.hpp"

#include <map>
#include <set>

#include "firmware/assembler/encoding.hpp"

namespace ppu::firmware {
namespace {

[[noreturn]] void refuse(const Image& image, std::size_t address, const std::string& reason) {
  throw ImageError(
      "word " + std::to_string(address) + " (" + hex_word(image.words[address]) + "): " + reason,
      false);
}

bool is_end(std::uint32_t word) {
  return spec::find_op(spec::decode(word).opcode) == &end_op();
}

/// Writes the text and remembers which line came from which word.
class Disassembler {
 public:
  explicit Disassembler(const Image& image) : image_(image) {}

  std::string run() {
    find_parts();
    for (std::size_t at = 0; at < control_words_; ++at) control_line(at);
    for (const std::size_t kernel : kernels_) kernel_lines(kernel);
    check();
    return text_;
  }

 private:
  /// Control code from word 0, then kernels to the end.
  void find_parts() {
    const std::vector<std::uint32_t>& words = image_.words;
    while (control_words_ < words.size() && !is_kernel_word(words[control_words_])) {
      ++control_words_;
    }
    std::size_t first = control_words_;
    for (std::size_t at = control_words_; at < words.size(); ++at) {
      if (!is_kernel_word(words[at])) refuse(image_, at, "control code behind a kernel");
      if (!is_end(words[at])) continue;
      kernels_.insert(first);
      first = at + 1;
    }
    if (first != words.size()) refuse(image_, first, "a kernel without `.end`");
    for (std::size_t at = 0; at < control_words_; ++at) find_label(at);
  }

  void find_label(std::size_t at) {
    const spec::Fields fields = spec::decode(image_.words[at]);
    const spec::Instruction* instruction = find_instruction(fields.opcode);
    if (instruction == nullptr) refuse(image_, at, "no instruction has this opcode");
    if (instruction->format.back() != 'l') return;
    const bool kernel = instruction->opcode == spec::Opcode::kKernel;
    if (kernel ? kernels_.count(fields.imm) == 0 : fields.imm >= control_words_) {
      refuse(image_, at,
             std::string(instruction->name) + " goes to word " + std::to_string(fields.imm) +
                 ", where no " + (kernel ? "kernel begins" : "control instruction is"));
    }
    if (!kernel) labels_.insert(fields.imm);
  }

  void control_line(std::size_t at) {
    const spec::Fields fields = spec::decode(image_.words[at]);
    const spec::Instruction& instruction = *find_instruction(fields.opcode);
    if (labels_.count(at) != 0) line(at, label(at) + ":");
    std::string text = "    " + std::string(instruction.name);
    const char* separator = " ";
    for (const char kind : instruction.format) {
      if (kind == '-') break;
      text += separator + operand(kind, fields);
      separator = ", ";
    }
    line(at, text);
  }

  static std::string operand(char kind, const spec::Fields& fields) {
    const bool kernel = fields.opcode == static_cast<std::uint32_t>(spec::Opcode::kKernel);
    switch (kind) {
      case 'a':
        return std::string(spec::kRegisterNames[fields.ra]);
      case 'b':
        return std::string(spec::kRegisterNames[fields.rb]);
      case 'c':
        return std::string(spec::kRegisterNames[fields.rc]);
      case 'i':
        return std::to_string(static_cast<std::int16_t>(fields.imm));
      default:
        return kernel ? kernel_name(fields.imm) : label(fields.imm);
    }
  }

  void kernel_lines(std::size_t at) {
    line(at, "");
    line(at, ".kernel " + kernel_name(at));
    for (; !is_end(image_.words[at]); ++at) {
      const spec::KernelOp* op = spec::find_op(spec::decode(image_.words[at]).opcode);
      if (op == nullptr) refuse(image_, at, "no kernel operation has this opcode");
      line(at, "    " + syntax(*op));
    }
    line(at, ".end");
  }

  /// The text must assemble to the same words: what the assembler refuses or encodes otherwise is
  /// no program.
  void check() const {
    try {
      const Assembly again = assemble("image", text_);
      for (std::size_t at = 0; at < image_.words.size(); ++at) {
        if (again.image.words[at] == image_.words[at]) continue;
        refuse(image_, at,
               "bits that its instruction does not have; it is encoded " +
                   hex_word(again.image.words[at]));
      }
    } catch (const AssemblyError& error) {
      const Diagnostic& first = error.diagnostics.front();
      refuse(image_, addresses_.at(static_cast<std::size_t>(first.place.line) - 1), first.reason);
    }
  }

  static std::string label(std::size_t at) { return "L" + std::to_string(at); }
  static std::string kernel_name(std::size_t at) { return "kernel_" + std::to_string(at); }

  void line(std::size_t address, const std::string& text) {
    text_ += text + "\n";
    addresses_.push_back(address);
  }

  const Image& image_;
  std::size_t control_words_ = 0;
  std::set<std::size_t> kernels_;  ///< First words.
  std::set<std::size_t> labels_;
  std::string text_;
  std::vector<std::size_t> addresses_;  ///< Of every line.
};

}  // namespace

std::string disassemble(const Image& image) {
  if (image.words.empty() || image.words.size() > kMaxWords) {
    throw ImageError("image has " + std::to_string(image.words.size()) + " words, expected 1 to " +
                         std::to_string(kMaxWords),
                     false);
  }
  return Disassembler(image).run();
}

Assembly reassemble(const Image& image) {
  return assemble("image", disassemble(image));
}

std::vector<Kernel> find_kernels(const Image& image) {
  return reassemble(image).kernels;
}

}  // namespace ppu::firmware
