# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
# One folder of C++ as one library, a room, that sees only the rooms it says it uses:
#
#   ppu_add_room(sim/parity USES sim/base sim/problem PRIVATE firmware/assembler LIBRARIES ZLIB::ZLIB)
#
# makes ppu_sim_parity of every .cpp in the folder (SOURCES names others). Its headers may use the rooms and
# libraries after USES and LIBRARIES, its sources also those after PRIVATE. Every header is included by its
# path in the tree, "sim/base/text.hpp". That path is found in a folder of links with nothing in it but the
# room itself and, by way of the libraries, what it uses: a forbidden include does not build
# (where a room that it uses hands the forbidden one on, house_test finds it).
# docs/inside/house.md draws the rooms; tests/repo/house_test.py holds the drawing against the includes.

# The headers of the folder by their path in the tree, for the target.
function(ppu_open_room target scope folder)
  string(MAKE_C_IDENTIFIER ${folder} name)
  set(view ${PROJECT_BINARY_DIR}/rooms/${name})
  cmake_path(GET folder PARENT_PATH parent)
  file(MAKE_DIRECTORY ${view}/${parent})
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${view}/${folder} SYMBOLIC)
  target_include_directories(${target} ${scope} ${view})
endfunction()

function(ppu_add_room folder)
  cmake_parse_arguments(PARSE_ARGV 1 room "" "" "SOURCES;USES;LIBRARIES;PRIVATE")
  if(room_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ppu_add_room(${folder}): unknown: ${room_UNPARSED_ARGUMENTS}")
  endif()
  string(MAKE_C_IDENTIFIER ${folder} name)
  if(room_SOURCES)
    list(TRANSFORM room_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/${folder}/)
  elseif(NOT "SOURCES" IN_LIST room_KEYWORDS_MISSING_VALUES)
    file(GLOB room_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
  endif()
  foreach(list USES PRIVATE)
    list(TRANSFORM room_${list} REPLACE "^([a-z]+)/([a-z]+)$" "ppu_\\1_\\2")
  endforeach()
  if(room_SOURCES)
    add_library(ppu_${name} STATIC ${room_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(ppu_${name} PRIVATE ${room_PRIVATE} ppu_warnings)
  else()
    add_library(ppu_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  ppu_open_room(ppu_${name} ${scope} ${folder})
  target_link_libraries(ppu_${name} ${scope} ${room_USES} ${room_LIBRARIES})
endfunction()
