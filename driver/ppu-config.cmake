# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
# find_package(ppu): ppu::ppu. find_package(ppu COMPONENTS bullet): ppu::bullet, too.
include(${CMAKE_CURRENT_LIST_DIR}/ppu-targets.cmake)

foreach(component IN LISTS ppu_FIND_COMPONENTS)
  set(ppu_${component}_FOUND FALSE)
  if(component STREQUAL bullet AND EXISTS ${CMAKE_CURRENT_LIST_DIR}/ppu-bullet-targets.cmake)
    find_package(PkgConfig QUIET)
    if(PKG_CONFIG_FOUND)
      pkg_check_modules(PPU_BULLET_ENGINE QUIET IMPORTED_TARGET GLOBAL bullet)
    endif()
    if(TARGET PkgConfig::PPU_BULLET_ENGINE)
      include(${CMAKE_CURRENT_LIST_DIR}/ppu-bullet-targets.cmake)
      set(ppu_bullet_FOUND TRUE)
    endif()
  endif()
  if(ppu_FIND_REQUIRED_${component} AND NOT ppu_${component}_FOUND)
    set(ppu_FOUND FALSE)
    set(ppu_NOT_FOUND_MESSAGE "no component '${component}': was it installed, with its engine?")
  endif()
endforeach()
