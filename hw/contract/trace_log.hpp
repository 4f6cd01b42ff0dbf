// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The event log: one event per line, `cycle kind unit a b`, kinds by name, numbers in decimal.
// Lines come in the order in which the simulation knew of the events. The last line is `end N`, N
// the number of events: a log without it was cut off.
#pragma once

#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/files/file_replacement.hpp"
#include "hw/contract/trace.hpp"

namespace ppu::hw {

/// A log that cannot be written or read.
class TraceLogError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// As in the log, for example "row_issue".
std::string_view name_of(TraceKind kind);

class TraceLogWriter final : public TraceSink {
 public:
  /// What `path` names is as it was until close(). Throws TraceLogError.
  explicit TraceLogWriter(const std::string& path);

  /// Throws TraceLogError if the file takes no more.
  void on_event(const TraceEvent& event) override;
  /// Writes what is left and the last line; the file appears. Nothing may come after it. Throws
  /// TraceLogError.
  void close();

 private:
  void put(std::string_view text);
  void put(std::uint64_t number);
  void make_room();
  void flush();

  static constexpr std::size_t kBufferBytes = std::size_t{1} << 20U;

  std::optional<files::FileReplacement> file_;
  std::unique_ptr<char[]> buffer_;
  std::size_t used_ = 0;
  std::uint64_t events_ = 0;
};

class TraceLogReader {
 public:
  /// Throws TraceLogError.
  explicit TraceLogReader(const std::string& path);
  /// The next event; false at the end, which is that of the last whole line if the log is cut off.
  /// Throws TraceLogError naming the line that is not one.
  bool next(TraceEvent* event);
  /// The last line has been read: the log is not cut off.
  [[nodiscard]] bool complete() const { return complete_; }
  /// Throws TraceLogError, saying that of the last line.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  /// One whole line more, or false at the end of the file.
  bool read_line();
  /// The line is the last one, and says how many events there were.
  void check_end();

  std::string path_;
  std::ifstream file_;
  std::string line_;
  std::uint64_t number_ = 0;  ///< Of the line.
  std::uint64_t events_ = 0;
  bool complete_ = false;
};

}  // namespace ppu::hw
