// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Files that travel inside the command: the assembler copies their bytes.
#include "embedded.hpp"

#define PPU_SIM_EMBED(symbol, path)                                                       \
  __asm__(                                                                                \
      ".section .rodata\n.balign 16\n"                                                    \
      ".global ppu_sim_" #symbol "_begin\nppu_sim_" #symbol                               \
      "_begin:\n"                                                                         \
      ".incbin \"" path                                                                   \
      "\"\n"                                                                              \
      ".global ppu_sim_" #symbol "_end\nppu_sim_" #symbol                                 \
      "_end:\n.byte 0\n"                                                                  \
      ".previous\n");                                                                     \
  extern "C" const char ppu_sim_##symbol##_begin[];                                       \
  extern "C" const char ppu_sim_##symbol##_end[];                                         \
  namespace ppu::sim {                                                                    \
  std::string_view embedded_##symbol() {                                                  \
    return {ppu_sim_##symbol##_begin,                                                     \
            static_cast<std::size_t>(ppu_sim_##symbol##_end - ppu_sim_##symbol##_begin)}; \
  }                                                                                       \
  }

PPU_SIM_EMBED(wall10, PPU_SIM_WALL10_PATH)
PPU_SIM_EMBED(packages, PPU_SIM_PACKAGES_PATH)
