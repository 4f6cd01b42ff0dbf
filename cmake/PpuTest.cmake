# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
# The tests of a folder as one GoogleTest binary, one ctest per TEST:
#
#   ppu_add_test(NAME model_test SOURCES graph_test.cpp energy_test.cpp LINK ppu_model [LABELS nightly]
#     [NUMBERS_ONLY Suite.Test Suites/Suite.*])
#
# Under the sanitizers one ctest is the whole binary: what a process costs to start is then most of a test.
# It leaves out NUMBERS_ONLY, tests that take long and show nothing of memory that others do not.
# With SEPARATE each test has a process there, too.
#
# Labels default to `quick`. Tests have ctest's own limit of 1,500 s, which only a hang reaches:
# none may fail because a machine is slow. tests/support/test_data.hpp says where tests/data is.
include(GoogleTest)

function(ppu_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "SEPARATE" "NAME" "SOURCES;LINK;LABELS;NUMBERS_ONLY")
  if(NOT arg_NAME OR NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ppu_add_test: NAME and SOURCES are needed; unknown: '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT arg_LABELS)
    set(arg_LABELS quick)
  endif()
  add_executable(${arg_NAME} ${arg_SOURCES})
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LINK} ppu_test_data ppu_warnings GTest::gtest_main)
  list(JOIN arg_NUMBERS_ONLY ":" left_out)
  if(PPU_SANITIZE AND arg_SEPARATE)
    gtest_discover_tests(${arg_NAME} TEST_FILTER -${left_out} DISCOVERY_TIMEOUT 600 PROPERTIES
      LABELS "${arg_LABELS}")
  elseif(PPU_SANITIZE)
    add_test(NAME ${arg_NAME} COMMAND ${arg_NAME} --gtest_filter=-${left_out})
    set_tests_properties(${arg_NAME} PROPERTIES LABELS "${arg_LABELS}")
  else()
    gtest_discover_tests(${arg_NAME} DISCOVERY_TIMEOUT 600 PROPERTIES LABELS "${arg_LABELS}")
  endif()
endfunction()
