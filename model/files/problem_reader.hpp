// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What this process and its reader say to each other. HDF5 1.10 reads past its buffers or loops for
// ever on some damaged files; in a process of its own, that costs that process:
//
//   ppu-read-problem FILE_FD RESULT_FD HOST_PID WHAT MIB NAME
//
// takes at most MIB MiB of memory; it reads the file of FILE_FD and writes to RESULT_FD: kGreeting;
// then kRead and the problem as bytes (see problem_bytes.hpp), or kRefused and the sentence of the
// refusal.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>

namespace ppu::model {
class ByteReader;
}

namespace ppu::model::reader {

/// Names the layout of the result: to be changed with it.
inline constexpr std::array<char, 8> kGreeting{'p', 'p', 'u', 'r', 'o', 'w', 's', '1'};

inline constexpr char kRead = 'R';
inline constexpr char kRefused = 'X';

/// WHAT is read: the whole problem, or an output file as a problem with nothing but its solution.
inline constexpr const char* kWholeProblem = "problem";
inline constexpr const char* kSolutionOnly = "solution";
/// Or another kind of file, see model/fclib.
inline constexpr const char* kFclib = "fclib";

/// Neither side handles a larger result. The most rows and bodies take less than half of it.
inline constexpr std::uint64_t kMaxResultBytes = std::uint64_t{1} << 30U;

/// How a reader ends that could not write its result. A number of its own: libraries and sanitizers
/// that give up on a damaged file end a process with EXIT_FAILURE.
inline constexpr int kExitNotHandedOver = 74;

/// Lets the reader process read WHAT of the file `path`, and gives what it hands over to `take` as
/// a ByteReader. Throws RowProblemError, see read_row_problem().
void read_file_as(const char* what, const std::string& path,
                  const std::function<void(ByteReader& bytes)>& take);

}  // namespace ppu::model::reader
