# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
# An installation that stands alone, as a wheel has to: the shared libraries that its programs need lie
# beside libppu, all but those that every Linux with a C++ program has.
option(PPU_BUNDLE "Install the libraries of others, too" OFF)
if(PPU_BUNDLE)
  # The way to them holds for the libraries that they need themselves as well, which RUNPATH does not.
  add_link_options(LINKER:--disable-new-dtags)
  # From the folders of helpers, of programs and of libraries.
  set(CMAKE_INSTALL_RPATH "$ORIGIN/../../lib;$ORIGIN/../lib;$ORIGIN/lib;$ORIGIN")
endif()

function(ppu_install_libraries)
  install(CODE "set(folder ${CMAKE_INSTALL_LIBDIR})" COMPONENT command)
  install(CODE [[
    set(root $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX})
    file(GLOB programs ${root}/bin/ppu ${root}/libexec/ppu/ppu-*)
    file(GLOB libraries ${root}/${folder}/libppu*.so.* ${root}/_core.*.so)
    set(everywhere "^lib(c|m|dl|rt|pthread|resolv|stdc\\+\\+|gcc_s)\\.so" "^ld-linux" "^libppu")
    file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${programs} LIBRARIES ${libraries}
      RESOLVED_DEPENDENCIES_VAR found PRE_EXCLUDE_REGEXES ${everywhere})
    foreach(path IN LISTS found)
      file(REAL_PATH ${path} file)
      cmake_path(GET path FILENAME name)
      message(STATUS "Bundling: ${name}")
      file(COPY_FILE ${file} ${root}/${folder}/${name})
    endforeach()
  ]] COMPONENT command)
endfunction()
