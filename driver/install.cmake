# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
# Installation of the driver: find_package(ppu) gives ppu::ppu, pkg-config gives ppu; the device
# executable goes where the library looks for it. `cmake --install BUILD --component driver` takes no more;
# that of its plug-ins is in their own folders, each a component of the same name.
include(CMakePackageConfigHelpers)

set(PPU_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/ppu)
set(PPU_PACKAGE ${CMAKE_CURRENT_BINARY_DIR}/package)

install(TARGETS ppu EXPORT ppu-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT driver)
install(FILES include/ppu/client.h include/ppu/job.h include/ppu/methods.h include/ppu/platform.h include/ppu/ppu.h include/ppu/ppu.hpp
  include/ppu/records.h include/ppu/spec.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ppu COMPONENT driver)
if(TARGET ppu-device)
  install(TARGETS ppu-device RUNTIME DESTINATION ${PPU_HELPER_DIR} COMPONENT driver)
  # What programs need of it to run, for a package of its own (cmake/PpuDebian.cmake).
  install(TARGETS ppu ppu-device COMPONENT runtime EXCLUDE_FROM_ALL
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} NAMELINK_SKIP RUNTIME DESTINATION ${PPU_HELPER_DIR})
endif()

install(EXPORT ppu-targets NAMESPACE ppu:: DESTINATION ${PPU_CMAKE_DIR} COMPONENT driver)
install(FILES ppu-config.cmake DESTINATION ${PPU_CMAKE_DIR} COMPONENT driver)
write_basic_package_version_file(${PPU_PACKAGE}/ppu-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PPU_PACKAGE}/ppu-config-version.cmake
  DESTINATION ${PPU_CMAKE_DIR} COMPONENT driver)

# The way from ppu.pc to the prefix, so that the installed tree can be moved.
file(RELATIVE_PATH PPU_PREFIX_OF_PC
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(ppu.pc.in ${PPU_PACKAGE}/ppu.pc @ONLY)
install(FILES ${PPU_PACKAGE}/ppu.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT driver)
