// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A fuzz target without a fuzzer: tries the inputs of a corpus, a line of hexadecimal digits each,
// then changes of them, always the same.
//   fuzz_NAME CORPUS [CHANGES]
#include <fstream>
#include <iostream>
#include <random>
#include <vector>

#include "tests/fuzz/input.hpp"

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes bytes_of(const std::string& line) {
  Bytes bytes;
  for (std::size_t n = 0; n + 1 < line.size(); n += 2)
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(line.substr(n, 2), nullptr, 16)));
  return bytes;
}

/// Up to four bytes changed, left out or doubled.
Bytes changed(Bytes bytes, std::mt19937& random) {
  for (std::uint32_t count = 1 + random() % 4; count > 0 && !bytes.empty(); --count) {
    const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(random() % bytes.size());
    const auto value = static_cast<std::uint8_t>(random());
    switch (random() % 3) {
      case 0:
        *place = value;
        break;
      case 1:
        bytes.erase(place);
        break;
      default:
        bytes.insert(place, value);
    }
  }
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  std::ifstream file(argv[1]);
  std::vector<Bytes> corpus;
  for (std::string line; std::getline(file, line);) corpus.push_back(bytes_of(line));
  if (corpus.empty()) {
    std::cerr << argv[1] << " has no inputs\n";
    return 2;
  }
  const int changes = argc > 2 ? std::stoi(argv[2]) : 0;
  std::mt19937 random(1);
  for (const Bytes& input : corpus) LLVMFuzzerTestOneInput(input.data(), input.size());
  for (int n = 0; n < changes; ++n) {
    const Bytes input = changed(corpus[random() % corpus.size()], random);
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  std::cout << corpus.size() << " inputs and " << changes << " changes of them\n";
  return 0;
}
