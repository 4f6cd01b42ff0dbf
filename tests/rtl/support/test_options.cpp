// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "tests/rtl/support/test_options.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <sstream>
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
  ppu::test::Options& options = ppu::test::parsed;
  const std::map<std::string, std::uint64_t*> known = {
      {"--seed", &options.seed}, {"--patterns", &options.patterns}, {"--rounds", &options.rounds}};
  for (int i = 1; i < argc; i += 2) {
    const auto option = known.find(argv[i]);
    std::uint64_t value = 0;
    if (option != known.end() && i + 1 < argc) std::istringstream(argv[i + 1]) >> value;
    if (value == 0) {
      std::cerr << argv[0] << ": argument '" << argv[i]
                << "', expected --seed N, --patterns N or --rounds N, of 1 or more\n";
      return 2;
    }
    *option->second = value;
  }
  std::cout << "seed " << options.seed << '\n';
  return RUN_ALL_TESTS();
}
