# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
# find_package(ppu): ppu::ppu. COMPONENTS bullet and systemc: ppu::bullet and ppu::systemc, too.
include(${CMAKE_CURRENT_LIST_DIR}/ppu-targets.cmake)

# The target of the component, with the library of others that it stands on, as pkg-config knows it.
function(ppu_find_component component prefix module)
  set(ppu_${component}_FOUND FALSE)
  set(targets ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/ppu-${component}-targets.cmake)
  if(EXISTS ${targets})
    find_package(PkgConfig QUIET)
    if(PKG_CONFIG_FOUND)
      pkg_check_modules(${prefix} QUIET IMPORTED_TARGET GLOBAL ${module})
    endif()
    if(TARGET PkgConfig::${prefix})
      include(${targets})
      set(ppu_${component}_FOUND TRUE)
    endif()
  endif()
  set(ppu_${component}_FOUND ${ppu_${component}_FOUND} PARENT_SCOPE)
endfunction()

foreach(component IN LISTS ppu_FIND_COMPONENTS)
  set(ppu_${component}_FOUND FALSE)
  if(component STREQUAL bullet)
    ppu_find_component(bullet PPU_BULLET_ENGINE bullet)
  elseif(component STREQUAL systemc)
    ppu_find_component(systemc SYSTEMC systemc)
  endif()
  if(ppu_FIND_REQUIRED_${component} AND NOT ppu_${component}_FOUND)
    set(ppu_FOUND FALSE)
    set(ppu_NOT_FOUND_MESSAGE "no component '${component}': was it installed, with what it needs?")
  endif()
endforeach()
