// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// C API: programs. The words live in instruction memory until nothing uses the program any more.
#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bits/crc32c.hpp"
#include "base/files/regular_file.hpp"
#include "driver/api/registry.hpp"
#include "driver/solve/class_arguments.hpp"
#include "firmware/assembler/assembler.hpp"
#include "firmware/assembler/disassembler.hpp"
#include "firmware/assembler/image.hpp"
#include "firmware/programs/programs.hpp"

namespace ppu::driver {
namespace {

firmware::Image assembled(std::string_view file, std::string_view source) {
  try {
    return firmware::assemble(file, source).image;
  } catch (const firmware::AssemblyError& error) {
    throw Failure(PPU_ERROR_PROGRAM, error.what());
  }
}

firmware::Image image_from(const void* data, std::size_t size_bytes) {
  try {
    return firmware::from_bytes(data, size_bytes);
  } catch (const firmware::ImageError& error) {
    throw Failure(error.version ? PPU_ERROR_VERSION : PPU_ERROR_PROGRAM, error.what());
  }
}

/// Throws Failure where a word of the image is no instruction.
std::vector<firmware::Kernel> kernels_of(const firmware::Image& image) {
  try {
    return firmware::find_kernels(image);
  } catch (const firmware::ImageError& error) {
    throw Failure(PPU_ERROR_PROGRAM, error.what());
  }
}

bool is_assembly_file(std::string_view name) {
  return name.size() >= 2 && name.substr(name.size() - 2) == ".s";
}

std::string read_text(const char* path) {
  try {
    return files::read_regular_file(path);
  } catch (const files::FileError& error) {
    throw Failure(PPU_ERROR_NOT_FOUND, error.what());
  }
}

firmware::Image load_image(const char* name) {
  if (is_assembly_file(name)) return assembled(name, read_text(name));
  if (const firmware::Program* program = firmware::find_program(name))
    return assembled(name, program->source);
  std::string known;
  for (const firmware::Program& program : firmware::programs())
    known.append(known.empty() ? "" : ", ").append(program.name);
  fail(PPU_ERROR_NOT_FOUND, "there is no program '", name, "'; known: ", known,
       ", or the path of an assembly file ending in .s");
}

bool has(const std::vector<std::uint32_t>& words, spec::Opcode opcode) {
  return std::any_of(words.begin(), words.end(), [opcode](std::uint32_t word) {
    return spec::decode(word).opcode == static_cast<std::uint8_t>(opcode);
  });
}

/// True if a pass begins where the second class does.
bool takes_classes(const std::vector<std::uint32_t>& words) {
  return std::any_of(words.begin(), words.end(), [](std::uint32_t word) {
    const auto instruction = spec::decode(word);
    return instruction.opcode == static_cast<std::uint8_t>(spec::Opcode::kRows) &&
           instruction.ra == spec::kFirstArgumentRegister + kClassArguments[0].rows;
  });
}

/// The words from host memory to the instruction memory of every engine, which is written in whole
/// lines. The device compares the checksum of what it writes.
void load_words(Device& device, const Program& program) {
  const auto batch = std::make_shared<Batch>(device.host_memory());
  std::vector<std::uint32_t> lines = *program.words;
  constexpr std::size_t kWordsPerLine = spec::kBeatBytes / sizeof(std::uint32_t);
  lines.resize((lines.size() + kWordsPerLine - 1) / kWordsPerLine * kWordsPerLine);
  const auto size = static_cast<std::uint32_t>(lines.size() * sizeof(std::uint32_t));
  const HostBlock& block = batch->stage(size);
  std::memcpy(block.data(), lines.data(), size);
  const auto entry = program.memory->address() / static_cast<std::uint32_t>(sizeof(std::uint32_t));
  const auto bytes = static_cast<std::uint32_t>(program.memory->size_bytes());
  batch->add(load_command({block.address(), entry, bytes, 0}, crc32c(lines.data(), size)));
  device.execute(batch);
}

/// What the kernels want of rows. Throws Failure where they want different forms of records.
void take_forms(const std::vector<firmware::Kernel>& kernels, std::string_view name,
                Program* program) {
  bool full = false;
  for (const firmware::Kernel& kernel : kernels) {
    const spec::ControlWord control = kernel.control;
    const bool impulse = control.form() == spec::Form::kImpulse;
    (impulse ? program->impulse_form : program->rate_form) = true;
    if (control.skip() == spec::Skip::kOn) program->skips = true;
    if (control.bounds() == spec::Bounds::kCone) program->cones = true;
    if (control.filter() == spec::Filter::kOn) program->filters = true;
    if (control.axpy() == spec::Axpy::kOff) continue;
    (control.matrix() == spec::Matrix::kReduced ? program->reduced : full) = true;
  }
  if (program->reduced && full)
    fail(PPU_ERROR_PROGRAM, "program '", name,
         "' has scaled adds of the full and of the reduced form, and a run has rows of one");
}

ppu_program load(const std::shared_ptr<Device>& device, const firmware::Image& image,
                 std::string_view name) {
  const std::size_t words = image.words.size();
  const std::uint32_t capacity = device->config().instruction_memory_words;
  if (words == 0) fail(PPU_ERROR_PROGRAM, "program '", name, "' has no instruction");
  if (words > capacity)
    fail(PPU_ERROR_CAPACITY, "program '", name, "' has ", words,
         " words, instruction_memory_words is ", capacity);
  auto program = std::make_shared<Program>();
  take_forms(kernels_of(image), name, program.get());
  program->reads_residual =
      has(image.words, spec::Opcode::kRdmax) || has(image.words, spec::Opcode::kBmax);
  program->takes_budget = has(image.words, spec::Opcode::kBudget);
  program->takes_classes = takes_classes(image.words);
  program->device = device;
  program->words = std::make_shared<const std::vector<std::uint32_t>>(image.words);
  program->memory = device->allocate_instructions(words);
  load_words(*device, *program);
  return registry().programs.insert(std::move(program));
}

}  // namespace
}  // namespace ppu::driver

using namespace ppu::driver;

extern "C" {

ppu_result ppu_program_load(ppu_device device, const char* name, ppu_program* program) {
  return guarded([&] {
    require(name, "name");
    require(program, "program");
    const auto owner = use_device(device);
    *program = load(owner->device, load_image(name), name);
  });
}

const char* ppu_program_name(size_t index) {
  // Literals of the firmware library, terminated.
  const auto& programs = ppu::firmware::programs();
  return index < programs.size() ? programs[index].name.data() : nullptr;
}

ppu_result ppu_program_assemble(ppu_device device, const char* name, const char* source,
                                ppu_program* program) {
  return guarded([&] {
    require(name, "name");
    require(source, "source");
    require(program, "program");
    const auto owner = use_device(device);
    *program = load(owner->device, assembled(name, source), name);
  });
}

ppu_result ppu_program_load_image(ppu_device device, const void* image, size_t size_bytes,
                                  ppu_program* program) {
  return guarded([&] {
    require(image, "image");
    require(program, "program");
    const auto owner = use_device(device);
    *program = load(owner->device, image_from(image, size_bytes), "image");
  });
}

ppu_result ppu_program_destroy(ppu_program program) {
  return guarded([&] { destroy(registry().programs, program); });
}

}  // extern "C"
