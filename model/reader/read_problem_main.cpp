// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// ppu-read-problem: reads one problem file that nobody trusts, see problem_reader.hpp. Whatever the
// file does to it, this process ends: by its limits, or with the process that started it.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "base/process/child_process.hpp"
#include "model/fclib/fclib_read.hpp"
#include "model/files/hdf5_file.hpp"
#include "model/files/problem_bytes.hpp"
#include "model/files/problem_reader.hpp"
#include "model/files/row_problem_read.hpp"
#include "model/problem/problem_error.hpp"
#include "model/problem/schema.hpp"

namespace ppu::model {
namespace {

constexpr int kExitUsage = 2;

void limit(int resource, rlim_t value) {
  const rlimit both{value, value};
  setrlimit(resource, &both);
}

/// Dies quietly and soon when things go wrong.
void prepare_for_the_worst(std::size_t file_bytes, [[maybe_unused]] std::size_t memory_bytes) {
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU}) {
    signal(number, SIG_DFL);
  }
  signal(SIGXFSZ, SIG_IGN);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, reader::kMaxResultBytes);
  // Hundreds of times what a sound file of this size takes.
  limit(RLIMIT_CPU, 2 + (file_bytes >> 22U));
#if !defined(__SANITIZE_ADDRESS__)
  limit(RLIMIT_DATA, memory_bytes);
#endif
  const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (null >= 0) dup2(null, STDERR_FILENO);
}

std::vector<char> read_all(int file, std::size_t size, const std::string& name) {
  std::vector<char> bytes(size);
  for (std::size_t done = 0; done < size;) {
    const ssize_t count = pread(file, bytes.data() + done, size - done, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) refuse(name, "the file", "an error while reading it", "a readable file");
    done += static_cast<std::size_t>(count);
  }
  return bytes;
}

bool write_all(int file, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t count = write(file, bytes, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

/// kRead and the problem, or kRefused and the sentence.
std::vector<char> read_to_bytes(int file, std::size_t size, const std::string& what,
                                std::size_t memory_bytes, const std::string& name) {
  std::string refusal;
  try {
    check_claim(name, "the file", 2 * size, memory_bytes);
    const std::vector<char> bytes = read_all(file, size, name);
    const Image image{bytes.data(), bytes.size(), name, memory_bytes};
    if (what == reader::kFclib) return fclib::bytes_of_image(image);
    const bool whole = what == reader::kWholeProblem;
    RowProblem problem = whole ? read_problem(image) : read_solution_only(image);
    constexpr std::size_t kTexts = 65536;
    ByteWriter writer(bytes_of_arrays(problem.rows(), problem.bodies()) + kTexts);
    writer.value(reader::kRead);
    describe(writer, problem);
    return writer.take();
  } catch (const RowProblemError& error) {
    refusal = error.what();
  } catch (const std::bad_alloc&) {
    refusal = name + ": the file: found HDF5 data that takes more memory to read than it may, " +
              "expected at most " + std::to_string(memory_bytes >> 20U) +
              " MiB (PPU_READ_MIB sets the limit)";
  } catch (const std::exception& error) {
    refusal = name + ": the file: found " + error.what() + ", expected readable HDF5 data";
  }
  std::vector<char> bytes(refusal.begin(), refusal.end());
  bytes.insert(bytes.begin(), reader::kRefused);
  return bytes;
}

int read_for_host(int file, int result, const std::string& what, std::size_t memory_bytes,
                  const std::string& name) {
  struct stat status {};
  if (fstat(file, &status) != 0) return kExitUsage;
  const auto size = static_cast<std::size_t>(status.st_size);
  prepare_for_the_worst(size, memory_bytes);
  if (!write_all(result, reader::kGreeting.data(), reader::kGreeting.size())) return kExitUsage;
  const hdf5::Session session;
  const std::vector<char> bytes = read_to_bytes(file, size, what, memory_bytes, name);
  return write_all(result, bytes.data(), bytes.size()) ? EXIT_SUCCESS : reader::kExitNotHandedOver;
}

}  // namespace
}  // namespace ppu::model

int main(int argc, char** argv) {
  if (argc != 7) {
    std::fputs("ppu-read-problem is started by programs of the PPU; run `ppu info` instead\n",
               stderr);
    return ppu::model::kExitUsage;
  }
  // Signals of the host's terminal are the host's to answer.
  setpgid(0, 0);
  if (!ppu::process::end_with_host(std::atoi(argv[3]))) return EXIT_FAILURE;
  // No destructors, no exit handlers: the file may have damaged what they would work on.
  const auto memory_bytes = static_cast<std::size_t>(std::atol(argv[5])) << 20U;
  _exit(ppu::model::read_for_host(std::atoi(argv[1]), std::atoi(argv[2]), argv[4], memory_bytes,
                                  argv[6]));
}
