// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Damaged programs and images: a clear refusal or a program that round-trips, never a crash.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "firmware/assembler/disassembler.hpp"
#include "firmware/assembler/explanations.hpp"
#include "firmware/programs/programs.hpp"

namespace ppu::firmware {
namespace {

std::size_t count_lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
}

void check_place(const SourcePlace& place, const std::string& source) {
  EXPECT_GE(place.line, 1);
  EXPECT_LE(static_cast<std::size_t>(place.line), count_lines(source));
  EXPECT_GE(place.column, 1);
  EXPECT_LE(static_cast<std::size_t>(place.column - 1 + place.length), place.text.size() + 1);
}

/// Assembles and checks what comes out; returns true if the source was accepted.
bool check(const std::string& source) {
  Image image;
  try {
    image = assemble("fuzz.s", source).image;
  } catch (const AssemblyError& error) {
    EXPECT_FALSE(error.diagnostics.empty());
    for (const Diagnostic& d : error.diagnostics) {
      check_place(d.place, source);
      if (!d.note.empty()) check_place(d.note_place, source);
      EXPECT_NE(find_explanation(d.code), nullptr) << d.code;
      EXPECT_FALSE(d.reason.empty());
      EXPECT_NE(std::string(error.what()).find(format(d)), std::string::npos);
    }
    return false;
  }
  EXPECT_EQ(assemble("again.s", disassemble(image)).image, image) << source;
  return true;
}

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string mutate(std::string text) {
    for (std::size_t edits = 1 + below(4); edits > 0 && !text.empty(); --edits) {
      const std::size_t at = below(text.size());
      const std::size_t length = std::min(1 + below(12), text.size() - at);
      switch (below(6)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text.erase(at, length);
          break;
        case 2:
          text.insert(below(text.size()), text.substr(at, length));
          break;
        case 3:
          std::swap(text[at], text[below(text.size())]);
          break;
        case 4:
          text.insert(at, kWords[below(kWords.size())]);
          break;
        default:
          move_line(text, at);
      }
    }
    return text;
  }

  std::size_t below(std::size_t limit) { return random_() % limit; }

 private:
  void move_line(std::string& text, std::size_t at) {
    const std::size_t begin = text.rfind('\n', at) + 1;
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    if (begin >= end) return;
    const std::string line = text.substr(begin, end - begin);
    text.erase(begin, end - begin);
    if (!text.empty()) text.insert(text.rfind('\n', below(text.size())) + 1, line);
  }

  const std::vector<std::string> kWords = {
      ".kernel ", ".end\n",   "r.",   "0x",  "-",    ",",      ":",
      ";",        "\n",       "\r",   "\t",  "zero", "halt\n", "99999999999999999999",
      "x",        "\xc3\xa9", "dot ", "r.x", "u",    "mark ",  "tagged ",
      "budget ",  "tagall\n"};
  std::mt19937 random_;
};

TEST(Fuzz, MutatedProgramsAreRefusedClearlyOrRoundTrip) {
  Mutator mutator(7079145);
  int accepted = 0;
  constexpr int kMutations = 4000;
  for (int i = 0; i < kMutations; ++i) {
    const auto& list = programs();
    accepted += check(mutator.mutate(std::string(list[mutator.below(list.size())].source)));
  }
  // Both outcomes are really tried.
  EXPECT_GT(accepted, kMutations / 20);
  EXPECT_LT(accepted, kMutations * 19 / 20);
}

TEST(Fuzz, RandomBytesAreRefusedClearly) {
  Mutator mutator(20);
  for (int i = 0; i < 1000; ++i) {
    std::string text(mutator.below(300), ' ');
    for (char& c : text) c = static_cast<char>(mutator.below(256));
    check(text);
  }
}

TEST(Fuzz, MutatedImagesAreRefusedOrRoundTrip) {
  Mutator mutator(21);
  int accepted = 0;
  constexpr int kMutations = 4000;
  for (int i = 0; i < kMutations; ++i) {
    const Program& program = programs()[mutator.below(programs().size())];
    Image image = assemble(program.name, program.source).image;
    for (std::size_t edits = 1 + mutator.below(2); edits > 0; --edits) {
      const std::size_t at = mutator.below(image.words.size());
      image.words[at] ^= 1U << mutator.below(32);
    }
    try {
      const std::string text = disassemble(image);
      EXPECT_EQ(assemble("again.s", text).image, image) << text;
      ++accepted;
    } catch (const ImageError& error) {
      EXPECT_NE(std::string(error.what()).find("word "), std::string::npos) << error.what();
    }
  }
  EXPECT_GT(accepted, kMutations / 100);
  EXPECT_LT(accepted, kMutations * 9 / 10);
}

}  // namespace
}  // namespace ppu::firmware
