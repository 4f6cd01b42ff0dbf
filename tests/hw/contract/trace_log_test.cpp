// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The event log: what is written can be read back, and what is no log is refused.
#include "hw/contract/trace_log.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace ppu::hw {
namespace {

class TraceLogTest : public ::testing::Test {
 protected:
  ~TraceLogTest() override { std::remove(path_.c_str()); }
  void write_text(const std::string& text) const { std::ofstream(path_) << text; }
  [[nodiscard]] std::string text() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// What the reader says of the file.
  [[nodiscard]] std::string refusal() const {
    TraceLogReader reader(path_);
    TraceEvent event;
    try {
      while (reader.next(&event)) {
      }
    } catch (const TraceLogError& error) {
      return error.what();
    }
    return {};
  }

  std::string path_ = ::testing::TempDir() + std::to_string(getpid()) + ".events";
};

TEST_F(TraceLogTest, AnEventIsALineOfText) {
  TraceLogWriter writer(path_);
  writer.on_event({12, TraceKind::kRowIssue, 3, 40, 1});
  writer.close();
  EXPECT_EQ(text(), "12 row_issue 3 40 1\nend 1\n");
}

TEST_F(TraceLogTest, AppearsOnlyWhenItIsClosed) {
  write_text("earlier");
  {
    TraceLogWriter writer(path_);
    writer.on_event({12, TraceKind::kRowIssue, 3, 40, 1});
  }
  EXPECT_EQ(text(), "earlier") << "it was never closed";
  TraceLogWriter writer(path_);
  EXPECT_EQ(text(), "earlier");
  writer.close();
  EXPECT_EQ(text(), "end 0\n");
}

TEST_F(TraceLogTest, ReadsBackEveryKindAndTheLargestNumbers) {
  constexpr std::uint64_t kMost = ~std::uint64_t{0};
  {
    TraceLogWriter writer(path_);
    for (int kind = 0; kind <= static_cast<int>(TraceKind::kControl); ++kind)
      writer.on_event({kMost, static_cast<TraceKind>(kind), 255, kMost, kMost});
    writer.close();
  }
  TraceLogReader reader(path_);
  TraceEvent event{};
  for (int kind = 0; kind <= static_cast<int>(TraceKind::kControl); ++kind) {
    ASSERT_TRUE(reader.next(&event));
    EXPECT_EQ(event.cycle, kMost);
    EXPECT_EQ(static_cast<int>(event.kind), kind);
    EXPECT_EQ(event.unit, 255);
    EXPECT_EQ(event.a, kMost);
    EXPECT_EQ(event.b, kMost);
  }
  EXPECT_FALSE(reader.next(&event));
}

TEST_F(TraceLogTest, KeepsMoreEventsThanTheBufferHolds) {
  constexpr std::uint64_t kEvents = 100'000;
  {
    TraceLogWriter writer(path_);
    for (std::uint64_t n = 0; n < kEvents; ++n)
      writer.on_event({n, TraceKind::kMemoryAccept, 0, 64 * n, n % 2});
    writer.close();
  }
  TraceLogReader reader(path_);
  TraceEvent event{};
  for (std::uint64_t n = 0; n < kEvents; ++n) {
    ASSERT_TRUE(reader.next(&event));
    ASSERT_EQ(event.cycle, n);
    ASSERT_EQ(event.a, 64 * n);
  }
  EXPECT_FALSE(reader.next(&event));
}

TEST_F(TraceLogTest, NamesTheLineThatIsNoEvent) {
  for (const char* line :
       {"x row_issue 0 1 2", "1 row_jump 0 1 2", "1 row_issue 0 1", "1 row_issue 0 1 2 3",
        "1 row_issue 256 1 2", "1  row_issue 0 1 2", "1", ""}) {
    write_text(std::string("1 row_issue 0 1 2\n") + line + "\n");
    EXPECT_NE(refusal().find(":2:"), std::string::npos) << line;
  }
}

TEST_F(TraceLogTest, EndsWithTheLastWholeLineOfALogThatIsCutOff) {
  const std::string whole = "1 row_issue 0 1 2\n2 row_issue 0 1 2\nend 2\n";
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    write_text(whole.substr(0, size));
    TraceLogReader reader(path_);
    TraceEvent event{};
    std::uint64_t events = 0;
    while (reader.next(&event)) ++events;
    EXPECT_EQ(events, size < 18 ? 0 : size < 36 ? 1 : 2) << size;
    EXPECT_EQ(reader.complete(), size == whole.size()) << size;
  }
}

TEST_F(TraceLogTest, RefusesAnEndThatIsNotTheEndOfThisLog) {
  for (const char* end : {"end 0\n", "end 2\n", "end\n", "end x\n", "end 1 \n", "end 1\n\n",
                          "end 1\n2 row_issue 0 1 2\n"}) {
    write_text(std::string("1 row_issue 0 1 2\n") + end);
    EXPECT_NE(refusal(), "") << end;
  }
  write_text("1 row_issue 0 1 2\nend 1\n");
  EXPECT_EQ(refusal(), "");
}

TEST_F(TraceLogTest, SaysWhichFileCannotBeOpened) {
  EXPECT_THROW(TraceLogWriter("/nowhere/log"), TraceLogError);
  EXPECT_THROW(TraceLogReader("/nowhere/log"), TraceLogError);
}

TEST_F(TraceLogTest, SaysThatTheDiskIsFull) {
  TraceLogWriter writer("/dev/full");
  const auto fill = [&writer] {
    for (int n = 0; n < 1'000'000; ++n) writer.on_event({0, TraceKind::kHostRead, 0, 0, 0});
  };
  EXPECT_THROW(fill(), TraceLogError);
  TraceLogWriter small("/dev/full");
  small.on_event({0, TraceKind::kHostRead, 0, 0, 0});
  EXPECT_THROW(small.close(), TraceLogError);
}

}  // namespace
}  // namespace ppu::hw
