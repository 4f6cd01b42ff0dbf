# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
# Compiler settings shared by every target: C++17 (Debian's libsystemc links with nothing else), warnings
# as errors, and float arithmetic exactly as written.
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

set(PPU_SANITIZE OFF CACHE STRING
  "Build with sanitizers: ON for those of addresses and undefined behaviour, or `thread`")
option(PPU_FUZZ "Build the fuzz targets with clang's libFuzzer, and all code with its coverage" OFF)
option(PPU_COVERAGE_CPP "Count which lines and branches of C++ are reached; needs clang, see docs/inside/coverage.md" OFF)
option(PPU_WERROR "Treat warnings as errors" ON)

# Eight files of a target are compiled as one that includes them: most of the time goes into headers that they share.
# So within a target a name means one thing, also in nameless namespaces. The preset debug compiles each file alone.
option(CMAKE_UNITY_BUILD "Compile the files of a target together" ON)

# No contraction of a*b+c: the numeric contract rounds every operation on its own.
add_compile_options(-ffp-contract=off)
if(PPU_SANITIZE STREQUAL thread)
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
elseif(PPU_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

if(PPU_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

find_program(PPU_CCACHE ccache)
if(PPU_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${PPU_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${PPU_CCACHE})
endif()

# Warnings for our own code (not for Verilated code).
add_library(ppu_warnings INTERFACE)
target_compile_options(ppu_warnings INTERFACE -Wall -Wextra -Wconversion -Wshadow $<$<BOOL:${PPU_WERROR}>:-Werror>)

# Counted in the source, so whatever the optimiser does; without Verilated code.
if(PPU_COVERAGE_CPP)
  target_compile_options(ppu_warnings INTERFACE -fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate)
endif()
