// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Assembly: any text is assembled or refused with diagnostics, and what was assembled comes back
// from its disassembly.
#include "firmware/assembler/assembler.hpp"

#include "firmware/assembler/disassembler.hpp"
#include "firmware/assembler/listing.hpp"
#include "tests/fuzz/input.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ppu;
  const std::string source = fuzz::Input(data, size).rest();
  firmware::Image image;
  try {
    image = firmware::assemble("fuzz.s", source).image;
  } catch (const firmware::AssemblyError& error) {
    fuzz::require(!error.diagnostics.empty(), "a refusal says why");
    for (const firmware::Diagnostic& diagnostic : error.diagnostics) firmware::format(diagnostic);
    return 0;
  }
  const std::vector<std::byte> bytes = firmware::to_bytes(image);
  fuzz::require(firmware::from_bytes(bytes.data(), bytes.size()) == image, "an image is read back");
  const std::string text = firmware::disassemble(image);
  fuzz::require(firmware::assemble("again.s", text).image == image,
                "a disassembly assembles to the same words");
  return 0;
}
