// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a method did, for people and for scripts.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/method/method.hpp"

namespace ppu::sim {

std::string summary(const model::RowProblem& problem, const Options& options,
                    const MethodOptions& method, const MethodResult& result);
nlohmann::ordered_json to_json(const model::RowProblem& problem, const Options& options,
                               const MethodOptions& method, const MethodResult& result);

}  // namespace ppu::sim
