// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What an engine is made of. Each part is what rtl/engine has in the instance of that name, and may
// live in a module of its own; a run makes the parts anew.
#pragma once

#include <optional>

#include "hw/engine/row_search.hpp"
#include "hw/engine/row_stream.hpp"
#include "hw/program/issue_stage.hpp"
#include "hw/program/row_state.hpp"
#include "hw/program/sequencer.hpp"

namespace ppu::hw {

/// The places of the parts.
struct EngineParts {
  std::optional<Sequencer>& sequencer;  ///< u_sequencer.
  std::optional<IssueStage>& issue;     ///< u_rows.u_issue.
  std::optional<RowStream>& stream;     ///< u_rows.u_arrival; none while rows stay on chip.
  std::optional<RowSearch>& search;     ///< u_rows.u_scan.
  std::optional<RowState>& state;       ///< u_rows.u_set: velocities, impulses, tags.
};

/// Those of an engine that is not taken apart.
struct OwnEngineParts {
  std::optional<Sequencer> sequencer;
  std::optional<IssueStage> issue;
  std::optional<RowStream> stream;
  std::optional<RowSearch> search;
  std::optional<RowState> state;
  [[nodiscard]] EngineParts all() { return {sequencer, issue, stream, search, state}; }
};

}  // namespace ppu::hw
