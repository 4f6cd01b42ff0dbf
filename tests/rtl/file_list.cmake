# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
# Run with cmake -DRTL=<folder> -P: every .sv file below it is in its ppu.f or trace.f, and they name no
# other.
cmake_minimum_required(VERSION 3.25)
file(GLOB_RECURSE present RELATIVE ${RTL} ${RTL}/*.sv)
file(STRINGS ${RTL}/ppu.f listed REGEX "^[^/]")
file(STRINGS ${RTL}/trace.f traces REGEX "^[^/]")
list(APPEND listed ${traces})
foreach(file ${present})
  if(NOT file IN_LIST listed)
    message(SEND_ERROR "rtl/${file} is in neither rtl/ppu.f nor rtl/trace.f")
  endif()
endforeach()
foreach(file ${listed})
  if(NOT file IN_LIST present)
    message(SEND_ERROR "rtl/ppu.f or rtl/trace.f names ${file}, which does not exist")
  endif()
endforeach()
