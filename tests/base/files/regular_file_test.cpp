// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Files that people hand in: read whole, or refused with what is wrong with them.
#include "base/files/regular_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/base/support/temporary_folder.hpp"

namespace ppu::files {
namespace {

namespace fs = std::filesystem;

class RegularFile : public tests::TemporaryFolder {
 protected:
  /// Expects that a file is refused with its path and these words.
  void expect_refusal(const std::string& name, const std::string& words, bool missing = false) {
    const std::string path = folder_ / name;
    try {
      read_regular_file(path);
      ADD_FAILURE() << "it was read, expected: " << words;
    } catch (const FileError& error) {
      EXPECT_EQ(error.what(), path + ": " + words);
      EXPECT_EQ(error.missing, missing);
    }
  }
};

TEST_F(RegularFile, IsReadWhole) {
  const std::string bytes("\0one\ntwo\xff", 9);
  std::ofstream(folder_ / "bytes") << bytes;
  EXPECT_EQ(read_regular_file(folder_ / "bytes"), bytes);
  std::ofstream(folder_ / "empty");
  EXPECT_EQ(read_regular_file(folder_ / "empty"), "");
}

TEST_F(RegularFile, IsMissingIfNothingHasItsName) {
  expect_refusal("absent", "no such file", true);
  std::ofstream(folder_ / "file");
  expect_refusal("file/below", "no such file", true);
}

TEST_F(RegularFile, IsNoFolderNoPipeAndNoDevice) {
  expect_refusal("", "is a directory, expected a regular file");
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  expect_refusal("pipe", "is a device or a pipe, expected a regular file");
  fs::create_symlink("/dev/zero", folder_ / "zero");
  expect_refusal("zero", "is a device or a pipe, expected a regular file");
}

TEST_F(RegularFile, MayHaveItsMostBytesAndNoByteMore) {
  std::ofstream(folder_ / "large");
  fs::resize_file(folder_ / "large", kMostBytes);
  EXPECT_EQ(read_regular_file(folder_ / "large").size(), static_cast<std::size_t>(kMostBytes));
  fs::resize_file(folder_ / "large", kMostBytes + 1);
  expect_refusal("large", "has 67108865 bytes, expected at most 67108864");
}

TEST_F(RegularFile, SaysWhyTheSystemDoesNotReadIt) {
  fs::create_symlink("endless", folder_ / "endless");
  expect_refusal("endless", "cannot be read: Too many levels of symbolic links");
  expect_refusal(std::string(300, 'x'), "cannot be read: File name too long");
}

}  // namespace
}  // namespace ppu::files
