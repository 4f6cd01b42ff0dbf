// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Configurations: any text as a TOML file, with overrides from its first lines. What is taken is
// within its ranges and says the same when it is written and read again.
#include "hw/contract/config.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <vector>

#include "tests/fuzz/input.hpp"

namespace {

/// The text as a file with a name.
class TextFile {
 public:
  explicit TextFile(const std::string& text) : file_(memfd_create("config", 0)) {
    ppu::fuzz::require(write(file_, text.data(), text.size()) == static_cast<ssize_t>(text.size()),
                       "memory for a file");
  }
  ~TextFile() { close(file_); }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ppu;
  fuzz::Input input(data, size);
  const std::uint32_t lines = input.below(4);
  std::string text = input.rest();
  std::vector<std::string> overrides;
  for (std::uint32_t n = 0; n < lines && text.find('\n') != std::string::npos; ++n) {
    overrides.push_back(text.substr(0, text.find('\n')));
    text.erase(0, text.find('\n') + 1);
  }
  hw::Config config;
  try {
    config = hw::resolve_config(TextFile(text).path(), overrides);
  } catch (const hw::ConfigError&) {
    return 0;
  }
  const std::string written = hw::to_toml(config);
  const TextFile again(written);
  fuzz::require(hw::to_toml(hw::resolve_config(again.path())) == written,
                "a configuration is read as it was written");
  return 0;
}
