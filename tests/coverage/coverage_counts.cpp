// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Counts of all models of a process, added up and written when it ends: for each Verilated model a
// file MODEL.PID.counts in the folder that PPU_COVERAGE names, 8 bytes for each of its points.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "tests/coverage/coverage_count.hpp"

namespace {

class Counts {
 public:
  Counts() = default;
  Counts(const Counts&) = delete;
  Counts& operator=(const Counts&) = delete;
  ~Counts() {
    const char* folder = std::getenv("PPU_COVERAGE");
    if (folder == nullptr) return;
    for (const auto& [model, sums] : sums_) {
      std::ofstream file(
          std::string(folder) + "/" + model + "." + std::to_string(getpid()) + ".counts",
          std::ios::binary);
      file.write(reinterpret_cast<const char*>(sums.data()),
                 static_cast<std::streamsize>(sums.size() * sizeof sums[0]));
    }
  }

  void add(const char* model, const ppu::CoverageCount* counts, std::size_t points) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::uint64_t>& sums = sums_[model];
    sums.resize(points);
    for (std::size_t i = 0; i < points; ++i) sums[i] += counts[i].value;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::vector<std::uint64_t>> sums_;
};

}  // namespace

void ppu_add_coverage(const char* model, const ppu::CoverageCount* counts, std::size_t points) {
  static Counts all;
  all.add(model, counts, points);
}
