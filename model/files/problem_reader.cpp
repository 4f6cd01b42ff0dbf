// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Problem files from the outside: each is read by a process of its own, which is started by exec,
// gets the open file and a memory file for the result, and has a limit of time.
#include "model/files/problem_reader.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "base/process/child_process.hpp"
#include "model/files/problem_bytes.hpp"
#include "model/files/row_problem_file.hpp"
#include "model/problem/problem_error.hpp"

namespace ppu::model {
namespace {

using files::FileDescriptor;
using process::ChildProcess;

constexpr process::Helper kReader{"ppu-read-problem", "PPU_READ_PROBLEM",
                                  "reader of problem files"};
constexpr off_t kMaxFileBytes = off_t{1} << 30U;

/// A number of the environment, from 1 to `most`.
long limit_of(const char* variable, long usual, long most) {
  const char* text = std::getenv(variable);
  if (text == nullptr) return usual;
  char* end = nullptr;
  const long value = std::strtol(text, &end, 10);
  if (end == text || *end != '\0' || value < 1 || value > most) {
    throw std::runtime_error("environment variable " + std::string(variable) + ": found \"" +
                             std::string(text) + "\", expected 1 to " + std::to_string(most));
  }
  return value;
}

/// Seconds that reading one file may take.
long time_limit() {
  return limit_of("PPU_READ_SECONDS", 60, 1'000'000);
}

/// Memory that reading one file may take, in MiB.
long memory_limit() {
  return limit_of("PPU_READ_MIB", 1024, 1L << 20U);
}

void check_regular(const struct stat& status, const std::string& path) {
  if (!S_ISREG(status.st_mode)) refuse(path, "the file", "a directory or a device", "an HDF5 file");
}

FileDescriptor open_file(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 && (errno == ENOENT || errno == ENOTDIR)) {
    refuse(path, "the file", "nothing", "an HDF5 file");
  }
  check_regular(status, path);
  // Does not wait, should it have become a pipe.
  FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0 || fstat(file.get(), &status) != 0) {
    refuse(path, "the file", "an error while reading it", "a readable file");
  }
  check_regular(status, path);
  if (status.st_size > kMaxFileBytes) {
    refuse(path, "the file", std::to_string(status.st_size) + " bytes", "at most 1 GiB");
  }
  return file;
}

/// A file in memory.
FileDescriptor memory_file(const char* name, const void* data, std::size_t size_bytes) {
  FileDescriptor file(memfd_create(name, MFD_CLOEXEC));
  const char* next = static_cast<const char*>(data);
  while (file.get() >= 0 && size_bytes > 0) {
    const ssize_t count = write(file.get(), next, size_bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) errno = EIO;  // It says nothing of an error.
    if (count <= 0) break;
    next += count;
    size_bytes -= static_cast<std::size_t>(count);
  }
  if (const int error = errno; file.get() < 0 || size_bytes > 0) {
    throw std::system_error(error, std::generic_category(),
                            "reading a problem file: no " + std::string(name));
  }
  return file;
}

/// All bytes of a memory file; too few of them where it is too large or becomes shorter.
std::vector<char> bytes_of(const FileDescriptor& file) {
  struct stat status {};
  if (fstat(file.get(), &status) != 0 || status.st_size < 0 ||
      static_cast<std::uint64_t>(status.st_size) > reader::kMaxResultBytes) {
    return {};
  }
  std::vector<char> bytes(static_cast<std::size_t>(status.st_size));
  std::size_t size = 0;
  while (size < bytes.size()) {
    const ssize_t count =
        pread(file.get(), bytes.data() + size, bytes.size() - size, static_cast<off_t>(size));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    size += static_cast<std::size_t>(count);
  }
  bytes.resize(size);
  return bytes;
}

/// What a reader process has written, and how that process ended.
struct Result {
  std::vector<char> bytes;
  std::string ending;
};

Result run_reader(const FileDescriptor& file, const char* what, const std::string& name) {
  const std::chrono::seconds limit(time_limit());
  const FileDescriptor result = memory_file("memory for the result", nullptr, 0);
  const std::string path = process::find_helper(kReader);
  ChildProcess child(kReader, path, {file.get(), result.get()},
                     {what, std::to_string(memory_limit()), name});
  const bool in_time = child.wait(limit);
  const std::string ending = child.end(std::chrono::milliseconds(0));
  // What is complete when the time is over counts.
  if (!in_time && child.exit_status() != EXIT_SUCCESS) {
    refuse(name, "the file", "no end of reading it in " + std::to_string(limit.count()) + " s",
           "a readable HDF5 file (PPU_READ_SECONDS sets the limit)");
  }
  if (child.exit_status() == reader::kExitNotHandedOver) {
    throw std::runtime_error(name +
                             ": its rows could not be handed over: no memory, or a limit of " +
                             "file sizes below theirs (ulimit -f)");
  }
  Result read{bytes_of(result), ending};
  const auto& greeting = reader::kGreeting;
  if (read.bytes.size() < greeting.size() ||
      !std::equal(greeting.begin(), greeting.end(), read.bytes.begin())) {
    throw std::runtime_error("the reader of problem files '" + path + "' " + read.ending +
                             " without a greeting; expected " + kReader.name + " of this build");
  }
  return read;
}

/// Reads in another process, so that damaged HDF5 structures cannot harm this one.
template <class Take>
void read_isolated_by(const FileDescriptor& file, const char* what, const std::string& name,
                      const Take& take) {
  const Result result = run_reader(file, what, name);
  ByteReader bytes(result.bytes.data() + reader::kGreeting.size(),
                   result.bytes.size() - reader::kGreeting.size());
  char mark = 0;
  bytes.value(mark);
  if (mark == reader::kRefused) throw RowProblemError(bytes.rest());
  take(bytes);
  if (mark != reader::kRead || !bytes.ok()) {
    refuse(name, "the file", "damaged HDF5 structures (the reader " + result.ending + ")",
           "a readable HDF5 file");
  }
}

RowProblem read_isolated(const FileDescriptor& file, const char* what, const std::string& name) {
  RowProblem problem;
  read_isolated_by(file, what, name, [&](ByteReader& bytes) { describe(bytes, problem); });
  return problem;
}

RowProblem read_whole(const FileDescriptor& file, const std::string& name) {
  RowProblem problem = read_isolated(file, reader::kWholeProblem, name);
  validate(problem, name);
  return problem;
}

}  // namespace

void reader::read_file_as(const char* what, const std::string& path,
                          const std::function<void(ByteReader& bytes)>& take) {
  read_isolated_by(open_file(path), what, path, take);
}

RowProblem read_row_problem(const void* image, std::size_t size_bytes, const std::string& name) {
  return read_whole(memory_file("memory for the file", image, size_bytes), name);
}

RowProblem read_row_problem(const std::string& path) {
  return read_whole(open_file(path), path);
}

Solution read_solution(const std::string& path) {
  RowProblem holder = read_isolated(open_file(path), reader::kSolutionOnly, path);
  if (!holder.solution) refuse(path, "/solution", "nothing", "a solution");
  check_finite(holder.solution->impulse, 1, path, "/solution/impulse");
  check_finite(holder.solution->velocity_change, 6, path, "/solution/velocity_change");
  return std::move(*holder.solution);
}

}  // namespace ppu::model
