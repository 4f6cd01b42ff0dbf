# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
# ppu_systemc: the modules as a shared library for platforms of others, model and RTL in one.
# find_package(ppu COMPONENTS systemc) gives ppu::systemc, pkg-config gives ppu-systemc.
file(CONFIGURE OUTPUT ppu_systemc.cpp CONTENT "// All of the library is in the rooms that it links.\n")
add_library(ppu_systemc SHARED ${CMAKE_CURRENT_BINARY_DIR}/ppu_systemc.cpp)
add_library(ppu::systemc ALIAS ppu_systemc)
target_include_directories(ppu_systemc PUBLIC
  $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/systemc/include>
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/driver/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(ppu_systemc PUBLIC cxx_std_17)
target_link_libraries(ppu_systemc PUBLIC PkgConfig::SYSTEMC PRIVATE
  $<LINK_LIBRARY:WHOLE_ARCHIVE,ppu_hw_systemc> ppu_rtl_row_pipe ppu_rtl_engine ppu_rtl_device ppu_hw_cosim)
# Only what the header names is exported.
set(map ${CMAKE_CURRENT_SOURCE_DIR}/systemc/ppu_systemc.map)
target_link_options(ppu_systemc PRIVATE LINKER:--version-script=${map})
# While the major version is 0, minor versions need not be compatible.
set_target_properties(ppu_systemc PROPERTIES
  EXPORT_NAME systemc INSTALL_RPATH "$ORIGIN" LINK_DEPENDS ${map}
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

set(cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ppu)
install(TARGETS ppu_systemc EXPORT ppu-systemc-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT systemc)
install(FILES systemc/include/ppu/systemc.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ppu COMPONENT systemc)
install(EXPORT ppu-systemc-targets NAMESPACE ppu:: DESTINATION ${cmake_dir} COMPONENT systemc)
file(RELATIVE_PATH PPU_PREFIX_OF_PC
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(systemc/ppu-systemc.pc.in ${CMAKE_CURRENT_BINARY_DIR}/ppu-systemc.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ppu-systemc.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT systemc)
