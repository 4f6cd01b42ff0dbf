// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What an engine is made of. Each part is what the RTL's engine has in the instance of that name,
// and may live in a module of its own; a run makes those parts anew that come and go with it.
#pragma once

#include <optional>

#include "hw/engine/dataflow_issue.hpp"
#include "hw/engine/row_path.hpp"
#include "hw/engine/row_search.hpp"
#include "hw/engine/row_stream.hpp"
#include "hw/program/issue_stage.hpp"
#include "hw/program/sequencer.hpp"

namespace ppu::hw {

/// The places of the parts.
struct EngineParts {
  std::optional<Sequencer>& sequencer;  ///< u_sequencer.
  std::optional<IssueStage>& issue;     ///< u_rows' u_issue or u_activity.
  /// u_rows.gen_dataflow.u_dataflow; null in an engine without it.
  std::optional<DataflowIssue>* dataflow;
  std::optional<RowStream>& stream;  ///< u_rows.u_arrival; none while rows stay on chip.
  std::optional<RowSearch>& search;  ///< u_rows.u_scan.
  RowPath& path;                     ///< u_rows: memories and pipes.
};

/// Those of an engine that is not taken apart.
struct OwnEngineParts {
  std::optional<Sequencer> sequencer;
  std::optional<IssueStage> issue;
  std::optional<DataflowIssue> dataflow;
  std::optional<RowStream> stream;
  std::optional<RowSearch> search;
  OwnRowPath path;
  explicit OwnEngineParts(const Config& config) : path(config) {}
  [[nodiscard]] EngineParts all() {
    return {sequencer, issue, &dataflow, stream, search, path.path};
  }
};

}  // namespace ppu::hw
