// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a command of the debugger answers, or why it does not.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace ppu::sim {

struct Answer {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  std::string text;  ///< Whole lines.
};

/// The session goes on.
class CommandError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads back as the same float.
std::string exact(float value);
/// "0x0000061e".
std::string hex32(std::uint32_t value);
/// As in listings: "000f".
std::string address_text(std::uint32_t address);

/// `, did you mean 'X'?` with the nearest of `names`, or nothing if none is near.
std::string suggestion(const std::string& word, const std::vector<std::string>& names);

/// A decimal number of at most `most`. Throws CommandError that names `what`.
std::uint64_t parse_number(const std::string& word, const std::string& what, std::uint64_t most);

}  // namespace ppu::sim
