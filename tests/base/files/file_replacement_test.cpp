// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Output files where something is in the way: file systems without files that have no name, folders
// that vanish, places that cannot be written.
#include "base/files/file_replacement.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>

#include "tests/base/support/old_system.hpp"
#include "tests/base/support/temporary_folder.hpp"

namespace ppu::files {
namespace {

namespace fs = std::filesystem;

class Replacement : public tests::TemporaryFolder {
 protected:
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }
  [[nodiscard]] long files() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }
};

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The error and the path that the refusal of an action names.
template <class Action>
std::pair<int, std::string> refusal_of(const Action& action) {
  try {
    action();
  } catch (const std::system_error& error) {
    const std::string sentence = error.what();
    return {error.code().value(), sentence.substr(0, sentence.find(": cannot be written"))};
  }
  return {0, ""};
}

TEST_F(Replacement, LeavesNothingBehindWhereEveryFileHasAName) {
  const tests::WithoutNamelessFiles old_system;
  std::ofstream(path("out")) << "old";
  {
    const FileReplacement abandoned(path("out"), "new");
    EXPECT_EQ(files(), 2) << "it has a name of its own beside the old file";
    EXPECT_EQ(text_of(path("out")), "old");
  }
  EXPECT_EQ(files(), 1);
  EXPECT_EQ(text_of(path("out")), "old");
  FileReplacement(path("out"), "new").commit();
  EXPECT_EQ(files(), 1);
  EXPECT_EQ(text_of(path("out")), "new");
}

TEST_F(Replacement, BelongsToTheOneThatItWasMovedTo) {
  const tests::WithoutNamelessFiles old_system;
  FileReplacement first(path("out"), "new");
  {
    FileReplacement second(std::move(first));
    EXPECT_EQ(files(), 1);
    second.commit();
  }
  EXPECT_EQ(text_of(path("out")), "new");
  EXPECT_EQ(files(), 1);
}

TEST_F(Replacement, TakesWhatIsWrittenByItsDescriptorAndWhatIsCopied) {
  const FileReplacement other(path("other"), "whatever");
  FileReplacement replacement(path("out"));
  ASSERT_EQ(write(replacement.descriptor(), "so ", 3), 3);
  replacement.copy_from(other.descriptor());
  replacement.commit();
  EXPECT_EQ(text_of(path("out")), "so whatever");
  EXPECT_EQ(files(), 1);
}

TEST_F(Replacement, NamesThePathIfItsFolderVanishesBeforeTheCommit) {
  fs::create_directory(path("gone"));
  FileReplacement replacement(path("gone/out"), "new");
  fs::remove(path("gone"));
  EXPECT_EQ(refusal_of([&] { replacement.commit(); }), std::pair(ENOENT, path("gone/out")));
}

TEST_F(Replacement, LeavesNothingBehindIfAFolderHasTakenItsPlace) {
  FileReplacement replacement(path("out"), "new");
  fs::create_directory(path("out"));
  EXPECT_EQ(refusal_of([&] { replacement.commit(); }), std::pair(EISDIR, path("out")));
  { const FileReplacement ends(std::move(replacement)); }
  EXPECT_EQ(files(), 1);
}

TEST_F(Replacement, IsRefusedWhereNothingCanBeWritten) {
  const std::string absent = path("absent/out");
  EXPECT_EQ(refusal_of([&] { FileReplacement{absent}; }), std::pair(ENOENT, absent));
  EXPECT_EQ(refusal_of([&] { check_replaceable(absent); }), std::pair(ENOENT, absent));
  EXPECT_EQ(refusal_of([&] { FileReplacement{folder_}; }), std::pair(EISDIR, folder_.string()));
  EXPECT_EQ(refusal_of([&] { check_replaceable(folder_); }), std::pair(EISDIR, folder_.string()));
  const std::string below = path("file") + "/out";
  std::ofstream(path("file")) << "no folder";
  EXPECT_EQ(refusal_of([&] { FileReplacement{below}; }), std::pair(ENOTDIR, below));
  EXPECT_EQ(refusal_of([&] { check_replaceable(below); }), std::pair(ENOTDIR, below));
}

TEST_F(Replacement, MayBeOfADeviceOrOfAFileThatIsNotThereYet) {
  for (const std::string& name : {std::string("/dev/null"), path("out")})
    EXPECT_NO_THROW(check_replaceable(name)) << name;
  FileReplacement("/dev/null", "nothing").commit();
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(files(), 0);
}

TEST_F(Replacement, SaysThatItsSourceCannotBeRead) {
  FileReplacement replacement(path("out"));
  EXPECT_EQ(refusal_of([&] { replacement.copy_from(-1); }), std::pair(EBADF, path("out")));
}

}  // namespace
}  // namespace ppu::files
