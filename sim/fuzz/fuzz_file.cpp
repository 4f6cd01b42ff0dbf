// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Cases of the fuzz as files.
#include "sim/fuzz/fuzz_file.hpp"

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files/file_replacement.hpp"
#include "sim/base/cli_error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"

namespace ppu::sim {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "ppu-fuzz-case 1";

/// An array of records of 32-bit words, each as a line of hexadecimal numbers.
template <class Record>
Json words_of(const std::vector<Record>& records) {
  constexpr std::size_t kWords = sizeof(Record) / sizeof(std::uint32_t);
  Json lines = Json::array();
  for (const Record& record : records) {
    std::array<std::uint32_t, kWords> words{};
    std::memcpy(words.data(), &record, sizeof record);
    std::string line;
    char word[16];
    for (const std::uint32_t value : words) {
      std::snprintf(word, sizeof word, "%s%08x", line.empty() ? "" : " ", value);
      line += word;
    }
    lines.push_back(line);
  }
  return lines;
}

template <class Record>
std::vector<Record> records_of(const Json& lines) {
  constexpr std::size_t kWords = sizeof(Record) / sizeof(std::uint32_t);
  std::vector<Record> records;
  for (const Json& line : lines) {
    const auto text = line.get<std::string>();
    std::array<std::uint32_t, kWords> words{};
    std::size_t at = 0;
    for (std::uint32_t& word : words) {
      std::size_t used = 0;
      word =
          static_cast<std::uint32_t>(std::stoul(text.substr(std::min(at, text.size())), &used, 16));
      at += used;
    }
    records.emplace_back();
    std::memcpy(&records.back(), words.data(), sizeof words);
  }
  return records;
}

FuzzCase case_of(const Json& json) {
  FuzzCase fuzz;
  if (json.at("format") != kFormat) throw std::invalid_argument("another format");
  fuzz.seed = json.at("seed");
  fuzz.copies = json.at("runs");
  fuzz.stream = json.at("stream");
  fuzz.early = json.value("early", false);
  fuzz.arguments = json.at("arguments");
  fuzz.text = json.at("program");
  fuzz.set.rows = records_of<ppu_row>(json.at("rows"));
  fuzz.set.impulses = records_of<float>(json.at("impulses"));
  fuzz.set.velocities = records_of<ppu_velocity>(json.at("velocities"));
  if (fuzz.copies == 0 || fuzz.text.empty() || fuzz.set.impulses.size() != fuzz.set.rows.size())
    throw std::invalid_argument("runs, program, rows and impulses do not go together");
  return fuzz;
}

}  // namespace

void save_case(const FuzzCase& fuzz, const std::string& folder) {
  Json json;
  json["format"] = kFormat;
  json["seed"] = fuzz.seed;
  json["runs"] = fuzz.copies;
  json["stream"] = fuzz.stream;
  json["early"] = fuzz.early;
  json["arguments"] = fuzz.arguments;
  json["rows"] = words_of(fuzz.set.rows);
  json["impulses"] = words_of(fuzz.set.impulses);
  json["velocities"] = words_of(fuzz.set.velocities);
  json["program"] = fuzz.source();
  std::filesystem::create_directories(folder);
  files::FileReplacement whole(folder + "/" + kCaseFile, json.dump(1) + "\n");
  files::FileReplacement program(folder + "/" + kProgramFile, fuzz.source());
  whole.commit();
  program.commit();
}

FuzzCase load_case(const std::string& path) {
  const std::string text = read_file(path);
  try {
    return case_of(Json::parse(text));
  } catch (const std::exception& error) {
    throw CliError(kExitUsage, path + ": is no case of the fuzz: " + error.what());
  }
}

}  // namespace ppu::sim
