// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Runs work on untrusted data in a child process. HDF5 1.10 reads past its buffers or loops for
// ever on some damaged files; in a child, that costs the child.
#pragma once

#include <functional>
#include <vector>

namespace ppu::model {

/// What `work` returned, or nothing where the child died or used more than `cpu_seconds` of
/// processor time. `work` must not throw. Throws std::system_error where no child can be started.
std::vector<char> run_isolated(unsigned cpu_seconds,
                               const std::function<std::vector<char>()>& work);

}  // namespace ppu::model
