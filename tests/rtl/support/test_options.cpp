// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "tests/rtl/support/test_options.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <string>

namespace ppu::test {
namespace {
Options parsed;
}

const Options& options() {
  return parsed;
}

}  // namespace ppu::test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if ((name != "--seed" && name != "--patterns") || i + 1 == argc) {
      std::cerr << argv[0] << ": argument '" << name << "', expected --seed N or --patterns N\n";
      return 2;
    }
    (name == "--seed" ? ppu::test::parsed.seed : ppu::test::parsed.patterns) =
        std::stoull(argv[i + 1]);
  }
  std::cout << "seed " << ppu::test::parsed.seed << '\n';
  return RUN_ALL_TESTS();
}
