// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Files that travel inside the command: the assembler copies their bytes.
#include "sim/base/embedded.hpp"

#include "embedded_report.hpp"
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

#define PPU_SIM_EMBED_NAMED(symbol, name, path) PPU_SIM_EMBED(symbol, path)

PPU_SIM_SCENES(PPU_SIM_EMBED)
PPU_SIM_REPORT_PAGE(PPU_SIM_EMBED_NAMED)
PPU_SIM_REPORT_SCRIPTS(PPU_SIM_EMBED_NAMED)
PPU_SIM_REPORT_LIBRARIES(PPU_SIM_EMBED_NAMED)
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

std::string_view embedded_report_file(std::string_view name) {
#define PPU_SIM_FIND(symbol, file_name, path) \
  if (name == file_name) return PPU_SIM_BYTES(symbol);
  PPU_SIM_REPORT_PAGE(PPU_SIM_FIND)
#undef PPU_SIM_FIND
  return {};
}

#define PPU_SIM_ITEM(symbol, name, path) PPU_SIM_BYTES(symbol),

std::vector<std::string_view> embedded_report_scripts() {
  return {PPU_SIM_REPORT_SCRIPTS(PPU_SIM_ITEM)};
}

std::vector<std::string_view> embedded_report_libraries() {
  return {PPU_SIM_REPORT_LIBRARIES(PPU_SIM_ITEM)};
}

}  // namespace ppu::sim
