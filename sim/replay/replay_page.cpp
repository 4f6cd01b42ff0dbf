// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The report of a scene: the embedded template, filled.
#include "sim/replay/replay_page.hpp"

#include <algorithm>
#include <stdexcept>

#include "sim/base/embedded.hpp"
#include "sim/chart/svg.hpp"
#include "sim/replay/packed_columns.hpp"

namespace ppu::sim {
namespace {

std::string data_block(const std::string& id, const std::string& block) {
  return "<script type='text/plain' id='" + id + "'>" + block + "</script>\n";
}

std::string data_blocks(const ReplayReport& report, std::size_t budget_bytes) {
  const ReplayBlocks blocks = replay_blocks(report, budget_bytes);
  std::string text = data_block("replay", blocks.main);
  for (const PackedRows& rows : blocks.rows) {
    const auto place = std::lower_bound(blocks.frames.begin(), blocks.frames.end(), rows.frame);
    text += data_block("rows-" + std::to_string(place - blocks.frames.begin()), rows.block);
  }
  std::string library;
  for (const std::string_view file : embedded_report_libraries()) library.append(file) += '\n';
  return text + data_block("library", deflated_base64(library));
}

std::string scripts() {
  std::string text;
  for (const std::string_view file : embedded_report_scripts())
    text.append("<script>\n").append(file) += "</script>\n";
  return text;
}

void replace(std::string& page, const std::string& mark, const std::string& text) {
  const std::size_t place = page.find(mark);
  if (place == std::string::npos) throw std::logic_error("report.html: no " + mark);
  page.replace(place, mark.size(), text);
}

}  // namespace

std::string replay_page(const ReplayReport& report, std::size_t budget_bytes) {
  std::string page(embedded_report_file("report.html"));
  // From the last to the first, so that nothing is looked for in what was put in.
  replace(page, "<!--SCRIPTS-->", scripts());
  replace(page, "<!--DATA-->", data_blocks(report, budget_bytes));
  replace(page, "/*STYLE*/",
          std::string(embedded_report_file("report.css")) +
              std::string(embedded_report_file("replay.css")));
  replace(page, "<!--TITLE-->", "PPU report: " + escaped(report.scene));
  return page;
}

}  // namespace ppu::sim
