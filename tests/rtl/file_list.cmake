# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
# Run with cmake -DRTL=<folder> -P: every .sv file below it is in its ppu.f, and ppu.f names no other.
cmake_minimum_required(VERSION 3.25)
file(GLOB_RECURSE present RELATIVE ${RTL} ${RTL}/*.sv)
file(STRINGS ${RTL}/ppu.f listed REGEX "^[^/]")
foreach(file ${present})
  if(NOT file IN_LIST listed)
    message(SEND_ERROR "rtl/${file} is not in rtl/ppu.f")
  endif()
endforeach()
foreach(file ${listed})
  if(NOT file IN_LIST present)
    message(SEND_ERROR "rtl/ppu.f names ${file}, which does not exist")
  endif()
endforeach()
