# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
# Installs the driver, moves the installation, builds and runs a project that uses it. With PROBLEM, a
# row problem, installs the command too, and solves it; with BULLET, the plug-in of that name; with
# PYTHON, the Python package.
#   cmake -DBUILD=... -DWORK=... -DSOURCE=... -DLIBDIR=... -DBINDIR=... -DBACKENDS=a,b -DSONAME=0.1
#     -DGENERATOR=Ninja [-DPROBLEM=file.h5] [-DBULLET=TRUE] [-DPYTHON=TRUE] -P install_test.cmake
file(REMOVE_RECURSE ${WORK})
set(step COMMAND_ERROR_IS_FATAL ANY COMMAND_ECHO STDOUT)
execute_process(
  COMMAND ${CMAKE_COMMAND} --install ${BUILD} --component driver --prefix ${WORK}/first ${step})
if(PROBLEM)
  execute_process(
    COMMAND ${CMAKE_COMMAND} --install ${BUILD} --component command --prefix ${WORK}/first ${step})
endif()
if(BULLET)
  execute_process(
    COMMAND ${CMAKE_COMMAND} --install ${BUILD} --component bullet --prefix ${WORK}/first ${step})
endif()
if(PYTHON)
  execute_process(
    COMMAND ${CMAKE_COMMAND} --install ${BUILD} --component python --prefix ${WORK}/first ${step})
endif()
file(RENAME ${WORK}/first ${WORK}/prefix)
file(GLOB libraries RELATIVE ${WORK}/prefix/${LIBDIR} ${WORK}/prefix/${LIBDIR}/libppu.so.${SONAME})
if(NOT libraries)
  message(FATAL_ERROR "no libppu.so.${SONAME}: the name must change with the minor version")
endif()

# Libraries and the device process are found without help.
unset(ENV{LD_LIBRARY_PATH})
unset(ENV{PPU_DEVICE})
unset(ENV{PPU_READ_PROBLEM})
if(PROBLEM)
  execute_process(COMMAND ${WORK}/prefix/${BINDIR}/ppu solve ${PROBLEM} --backend systemc ${step})
  # What is installed to start one's own from is what the command has built in.
  set(share ${WORK}/prefix/share)
  execute_process(COMMAND ${WORK}/prefix/${BINDIR}/ppu solve ${PROBLEM} --backend functional
    --program ${share}/ppu/firmware/threshold.s --threshold 0.1
    --config ${share}/ppu/configs/small.toml+${share}/ppu/configs/parts/pci.toml ${step})
  foreach(file IN ITEMS ppu/examples/hello.c ppu/examples/study.toml ppu/schema/ppu-solve-1.json doc/ppu/LICENSE)
    if(NOT EXISTS ${share}/${file})
      message(FATAL_ERROR "there is no ${share}/${file}")
    endif()
  endforeach()
endif()

set(ENV{PKG_CONFIG_PATH} ${WORK}/prefix/${LIBDIR}/pkgconfig)
execute_process(
  COMMAND ${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE}/consumer -B ${WORK}/build
    -DCMAKE_PREFIX_PATH=${WORK}/prefix -DPPU_HEADER_TEST=${SOURCE}/../api/header_test.c
    -DPPU_WITH_BULLET=${BULLET} ${step})
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/build ${step})

execute_process(COMMAND ${WORK}/build/with_package ${step})
execute_process(COMMAND ${WORK}/build/with_pkg_config ${step})
string(REPLACE "," ";" backends ${BACKENDS})
execute_process(COMMAND ${WORK}/build/with_cpp ${backends} ${step})

# A box falls onto the ground and stays there.
if(BULLET)
  execute_process(COMMAND ${WORK}/build/bullet_with_package ${step})
  execute_process(COMMAND ${WORK}/build/bullet_with_pkg_config ${step})
endif()
