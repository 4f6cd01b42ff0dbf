// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Files that travel inside the command: the assembler copies their bytes.
#include "embedded.hpp"

#include "embedded_scenes.hpp"

#define PPU_SIM_EMBED(symbol, path)                         \
  __asm__(                                                  \
      ".section .rodata\n.balign 16\n"                      \
      ".global ppu_sim_" #symbol "_begin\nppu_sim_" #symbol \
      "_begin:\n"                                           \
      ".incbin \"" path                                     \
      "\"\n"                                                \
      ".global ppu_sim_" #symbol "_end\nppu_sim_" #symbol   \
      "_end:\n.byte 0\n"                                    \
      ".previous\n");                                       \
  extern "C" const char ppu_sim_##symbol##_begin[];         \
  extern "C" const char ppu_sim_##symbol##_end[];

#define PPU_SIM_BYTES(symbol)                                                       \
  {                                                                                 \
    ppu_sim_##symbol##_begin,                                                       \
        static_cast<std::size_t>(ppu_sim_##symbol##_end - ppu_sim_##symbol##_begin) \
  }

PPU_SIM_SCENES(PPU_SIM_EMBED)
PPU_SIM_EMBED(packages, PPU_SIM_PACKAGES_PATH)

namespace ppu::sim {

std::string_view embedded_scene(std::string_view name) {
#define PPU_SIM_FIND(symbol, path) \
  if (name == #symbol) return PPU_SIM_BYTES(symbol);
  PPU_SIM_SCENES(PPU_SIM_FIND)
#undef PPU_SIM_FIND
  return {};
}

std::string_view embedded_packages() {
  return PPU_SIM_BYTES(packages);
}

}  // namespace ppu::sim
