// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/contract/trace_log.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <system_error>

namespace ppu::hw {
namespace {

/// In the order of TraceKind.
constexpr std::array<std::string_view, 23> kNames = {
    "command_begin", "command_reject", "fence_written", "report_written", "dma_phase",
    "memory_accept", "host_read",      "host_write",    "engine_phase",   "pass_begin",
    "pass_cut",      "rdlate",         "row_issue",     "row_retire",     "wait_body_a",
    "wait_body_b",   "wait_parent",    "wait_fetch",    "wait_lane",      "wait_bank",
    "wait_filter",   "drain",          "control"};
static_assert(kNames.size() == static_cast<std::size_t>(TraceKind::kControl) + 1);

/// What the last line begins with.
constexpr std::string_view kEnd = "end ";

/// More than the longest line.
constexpr std::size_t kLineBytes = 128;

/// Takes a number and the blank behind it from the front of `text`.
template <class Number>
bool take_number(std::string_view* text, Number* number) {
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), *number);
  if (error != std::errc()) return false;
  text->remove_prefix(static_cast<std::size_t>(end - text->data()));
  if (text->empty() || text->front() != ' ') return false;
  text->remove_prefix(1);
  return true;
}

bool take_last_number(std::string_view text, std::uint64_t* number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *number);
  return error == std::errc() && end == text.data() + text.size();
}

bool take_kind(std::string_view* text, TraceKind* kind) {
  const std::size_t blank = text->find(' ');
  if (blank == std::string_view::npos) return false;
  const auto* const name = std::find(kNames.begin(), kNames.end(), text->substr(0, blank));
  if (name == kNames.end()) return false;
  *kind = static_cast<TraceKind>(name - kNames.begin());
  text->remove_prefix(blank + 1);
  return true;
}

/// What a line holds, without bytes that would upset a terminal.
std::string excerpt(std::string_view line) {
  constexpr std::size_t kMost = 60;
  std::string text(line.substr(0, kMost));
  for (char& letter : text)
    if (letter < ' ' || letter > '~') letter = '?';
  return "'" + text + (line.size() > kMost ? "...'" : "'");
}

/// Calls `write`, whose failure becomes that of an event log.
template <class Write>
void written(Write write) {
  try {
    write();
  } catch (const std::system_error& error) {
    throw TraceLogError(std::string("event log ") + error.what());
  }
}

}  // namespace

std::string_view name_of(TraceKind kind) {
  return kNames[static_cast<std::size_t>(kind)];
}

TraceLogWriter::TraceLogWriter(const std::string& path)
    : buffer_(std::make_unique<char[]>(kBufferBytes)) {
  written([&] { file_.emplace(path); });
}

void TraceLogWriter::on_event(const TraceEvent& event) {
  make_room();
  put(event.cycle);
  put(" ");
  put(name_of(event.kind));
  for (const std::uint64_t number : {std::uint64_t{event.unit}, event.a, event.b}) {
    put(" ");
    put(number);
  }
  put("\n");
  ++events_;
}

void TraceLogWriter::close() {
  make_room();
  put(kEnd);
  put(events_);
  put("\n");
  flush();
  written([&] { file_->commit(); });
}

void TraceLogWriter::put(std::string_view text) {
  used_ += text.copy(&buffer_[used_], text.size());
}

void TraceLogWriter::put(std::uint64_t number) {
  char* const at = &buffer_[used_];
  used_ += static_cast<std::size_t>(std::to_chars(at, &buffer_[kBufferBytes], number).ptr - at);
}

void TraceLogWriter::make_room() {
  if (kBufferBytes - used_ < kLineBytes) flush();
}

void TraceLogWriter::flush() {
  written([&] { file_->write({buffer_.get(), used_}); });
  used_ = 0;
}

TraceLogReader::TraceLogReader(const std::string& path) : path_(path), file_(path) {
  if (!file_) throw TraceLogError(path + ": cannot be read: " + std::strerror(errno));
}

bool TraceLogReader::next(TraceEvent* event) {
  if (!read_line()) return false;
  std::string_view text = line_;
  if (text.substr(0, kEnd.size()) == kEnd) {
    check_end();
    return false;
  }
  ++events_;
  if (!take_number(&text, &event->cycle) || !take_kind(&text, &event->kind) ||
      !take_number(&text, &event->unit) || !take_number(&text, &event->a) ||
      !take_last_number(text, &event->b))
    fail("is no event, expected `cycle kind unit a b`");
  return true;
}

bool TraceLogReader::read_line() {
  if (!std::getline(file_, line_)) {
    if (file_.bad()) throw TraceLogError(path_ + ": cannot be read: " + std::strerror(errno));
    return false;
  }
  ++number_;
  return !file_.eof();
}

void TraceLogReader::check_end() {
  std::uint64_t count = 0;
  if (!take_last_number(std::string_view(line_).substr(kEnd.size()), &count) || count != events_)
    fail("does not close a log of " + std::to_string(events_) + " events: lines are missing");
  if (read_line() || !line_.empty()) fail("comes after the last line `end N`");
  complete_ = true;
}

void TraceLogReader::fail(const std::string& what) const {
  throw TraceLogError(path_ + ":" + std::to_string(number_) + ": " + excerpt(line_) + " " + what);
}

}  // namespace ppu::hw
