# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
# The tests of a folder as one GoogleTest binary, one ctest per TEST:
#
#   ppu_add_test(NAME model_test SOURCES graph_test.cpp energy_test.cpp LINK ppu_model [LABELS nightly])
#
# Labels default to `quick`. Tests have ctest's own limit of 1,500 s, which only a hang reaches:
# none may fail because a machine is slow. tests/support/test_data.hpp says where tests/data is.
include(GoogleTest)

function(ppu_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "SOURCES;LINK;LABELS")
  if(NOT arg_NAME OR NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ppu_add_test: NAME and SOURCES are needed; unknown: '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT arg_LABELS)
    set(arg_LABELS quick)
  endif()
  add_executable(${arg_NAME} ${arg_SOURCES})
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LINK} ppu_test_data ppu_warnings GTest::gtest_main)
  gtest_discover_tests(${arg_NAME} DISCOVERY_TIMEOUT 600
    PROPERTIES LABELS "${arg_LABELS}")
endfunction()
