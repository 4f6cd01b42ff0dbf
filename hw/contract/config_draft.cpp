// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/contract/config_draft.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <system_error>

#include "base/files/regular_file.hpp"
#include "hw/contract/clock.hpp"

namespace ppu::hw {
namespace {

using spec::ConfigKey;

std::string known_keys() {
  std::string list;
  for (const ConfigKey& key : spec::kConfigKeys)
    list += (list.empty() ? "" : ", ") + std::string(key.name);
  return list;
}

/// How many letters to change, add or take away.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (const char letter : a) {
    std::size_t before = row[0]++;
    for (std::size_t i = 0; i < b.size(); ++i) {
      const std::size_t changed = before + (letter == b[i] ? 0 : 1);
      before = row[i + 1];
      row[i + 1] = std::min({changed, before + 1, row[i] + 1});
    }
  }
  return row.back();
}

/// "did you mean lanes? ", if a key is near.
std::string suggestion(std::string_view name) {
  constexpr std::size_t kNear = 2;
  const auto near = std::min_element(spec::kConfigKeys.begin(), spec::kConfigKeys.end(),
                                     [name](const ConfigKey& a, const ConfigKey& b) {
                                       return distance(name, a.name) < distance(name, b.name);
                                     });
  if (distance(name, near->name) > kNear) return {};
  return "did you mean " + std::string(near->name) + "? ";
}

/// "; the nearest are 4 and 8", of a key that takes some values only.
std::string nearest(const ConfigKey& key, std::int64_t value) {
  std::int64_t below = -1, above = -1;
  for (const std::int64_t allowed : key.allowed) {
    if (allowed == 0) continue;  // Not in use.
    if (allowed < value) below = std::max(below, allowed);
    if (allowed > value && (above < 0 || allowed < above)) above = allowed;
  }
  if (below < 0 && above < 0) return {};
  if (below < 0 || above < 0) return "; the nearest is " + std::to_string(std::max(below, above));
  return "; the nearest are " + std::to_string(below) + " and " + std::to_string(above);
}

void set_key(const std::string& where, std::string_view name, std::int64_t value,
             ConfigDraft* draft) {
  const auto key = std::find_if(spec::kConfigKeys.begin(), spec::kConfigKeys.end(),
                                [&](const ConfigKey& k) { return k.name == name; });
  if (key == spec::kConfigKeys.end())
    throw ConfigError(where + ": unknown key '" + std::string(name) + "'; " + suggestion(name) +
                          "the keys are " + known_keys(),
                      true);
  if (!is_value_of(*key, value))
    throw ConfigError(where + ": " + std::string(name) + " is " + std::to_string(value) +
                          ", expected " + range_of(*key) + nearest(*key, value),
                      false);
  draft->config.*(key->member) = static_cast<std::uint32_t>(value);
  if (key->member == &Config::clock_mhz) draft->technology.clear();
}

void apply_toml(const std::string& where, std::string_view text, ConfigDraft* draft);

/// Applies the named file of a list, "config" or "part"; `others` are names behind it.
template <class Files>
void apply_named(const Files& files, const char* kind, const std::string& others,
                 const std::string& name, ConfigDraft* draft) {
  std::string known;
  for (const spec::NamedConfig& file : files) {
    if (file.name == name)
      return apply_toml(std::string(kind) + " '" + name + "'", file.toml, draft);
    known += (known.empty() ? "" : ", ") + std::string(file.name);
  }
  throw ConfigError(std::string("unknown ") + kind + " '" + name + "'; the " + kind + "s are " +
                        known + others + ", or the path of a .toml file",
                    true);
}

bool is_path(const std::string& name) {
  constexpr std::string_view kSuffix = ".toml";
  return name.find('/') != std::string::npos ||
         (name.size() >= kSuffix.size() &&
          name.compare(name.size() - kSuffix.size(), kSuffix.size(), kSuffix) == 0);
}

void apply_file(const std::string& path, ConfigDraft* draft) {
  try {
    apply_toml(path, files::read_regular_file(path), draft);
  } catch (const files::FileError& error) {
    throw ConfigError(error.what(), error.missing);
  }
}

/// A named part, a technology, or the keys of a file.
void apply_part(const std::string& name, ConfigDraft* draft) {
  if (is_path(name)) return apply_file(name, draft);
  std::string others;
  for (const std::string_view technology : technologies()) {
    if (name == technology) {
      draft->technology = name;
      return;
    }
    others += ", " + std::string(technology);
  }
  apply_named(spec::kConfigParts, "part", others, name, draft);
}

/// Parts first, so that the table's own keys win.
void apply_parts(const std::string& where, const toml::table& table, ConfigDraft* draft) {
  const toml::node* parts = table.get("parts");
  if (parts == nullptr) return;
  const toml::array* list = parts->as_array();
  if (list == nullptr || (!list->empty() && !list->is_homogeneous(toml::node_type::string)))
    throw ConfigError(where + ": parts is not a list of names", false);
  for (const toml::node& name : *list) apply_part(name.as_string()->get(), draft);
}

void apply_table(const std::string& file, const toml::table& table, ConfigDraft* draft) {
  apply_parts(file, table, draft);
  for (const auto& [key, node] : table) {
    if (key.str() == "parts") continue;
    const std::string where = file + ":" + std::to_string(key.source().begin.line);
    const auto value = node.as_integer();
    if (value == nullptr)
      throw ConfigError(where + ": " + std::string(key.str()) + " is not an integer", false);
    set_key(where, key.str(), value->get(), draft);
  }
}

void apply_toml(const std::string& where, std::string_view text, ConfigDraft* draft) {
  try {
    apply_table(where, toml::parse(text, where), draft);
  } catch (const toml::parse_error& error) {
    throw ConfigError(where + ":" + std::to_string(error.source().begin.line) + ": " +
                          std::string(error.description()),
                      false);
  }
}

/// Configuration and parts, joined by '+'; each is a name or the path of a file.
void apply_names(const std::string& names, ConfigDraft* draft) {
  std::size_t plus = names.find('+');
  const std::string first = names.substr(0, plus);
  if (is_path(first)) {
    apply_named(spec::kNamedConfigs, "config", "", "default", draft);
    apply_file(first, draft);
  } else {
    apply_named(spec::kNamedConfigs, "config", "", first, draft);
  }
  while (plus != std::string::npos) {
    const std::size_t start = plus + 1;
    plus = names.find('+', start);
    apply_part(names.substr(start, plus - start), draft);
  }
}

void apply_override(const std::string& text, ConfigDraft* draft) {
  const std::size_t equals = text.find('=');
  const char* const end = text.data() + text.size();
  std::int64_t value = 0;
  const std::string where = "override '" + text + "'";
  if (equals == std::string::npos) throw ConfigError(where + ": expected key=value", false);
  const auto [stop, error] = std::from_chars(text.data() + equals + 1, end, value);
  if (error != std::errc() || stop != end)
    throw ConfigError(where + ": '" + text.substr(equals + 1) + "' is not an integer", false);
  set_key(where, text.substr(0, equals), value, draft);
}

}  // namespace

ConfigDraft draft_config(const std::string& name, const std::vector<std::string>& overrides) {
  ConfigDraft draft;
  apply_names(name, &draft);
  for (const std::string& text : overrides) apply_override(text, &draft);
  return draft;
}

}  // namespace ppu::hw
