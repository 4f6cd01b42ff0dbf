// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Damaged files: bytes flipped at random and files cut short must be read or refused, never end the
// process. The seed is fixed; PPU_FUZZ_SEED and PPU_FUZZ_COUNT repeat or extend a run.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>

#include "tests/model/problems.hpp"

namespace ppu::model {
namespace {

unsigned setting(const char* name, unsigned fallback) {
  const char* text = std::getenv(name);
  return text == nullptr ? fallback : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

std::vector<char> sound_bytes() {
  std::ifstream stream(testing::path_of("ball_f110"), std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Reads the image; what is accepted must be valid.
bool accepted(const std::vector<char>& image) {
  try {
    validate(read_row_problem(image.data(), image.size(), "damaged.h5"), "damaged.h5");
    return true;
  } catch (const RowProblemError& error) {
    EXPECT_EQ(std::string(error.what()).find("damaged.h5: "), 0U) << error.what();
    return false;
  }
}

TEST(DamagedFile, IsReadOrRefusedWhateverBytesFlip) {
  const std::vector<char> sound = sound_bytes();
  const unsigned first = setting("PPU_FUZZ_SEED", 1);
  const unsigned count = setting("PPU_FUZZ_COUNT", 300);
  unsigned refused = 0;
  for (unsigned seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE("PPU_FUZZ_SEED=" + std::to_string(seed));
    std::mt19937 random(seed);
    std::vector<char> image = sound;
    // Half of the runs aim at the first 4 KiB, where most of the structure is.
    const std::size_t range = seed % 2 == 0 ? std::size_t{4096} : image.size();
    const unsigned flips = 1 + random() % 8;
    for (unsigned i = 0; i < flips; ++i) {
      image[random() % range] = static_cast<char>(random() % 3 == 0 ? 0xff : random() % 256);
    }
    if (!accepted(image)) ++refused;
  }
  EXPECT_TRUE(count < 100 || refused > count / 10) << "the damage hit nothing: " << refused;
}

TEST(DamagedFile, IsRefusedWhereverItIsCut) {
  const std::vector<char> sound = sound_bytes();
  std::mt19937 random(setting("PPU_FUZZ_SEED", 1));
  for (int i = 0; i < 100; ++i) {
    std::vector<char> image = sound;
    image.resize(random() % sound.size());
    EXPECT_FALSE(accepted(image)) << "cut to " << image.size() << " bytes";
  }
}

}  // namespace
}  // namespace ppu::model
