# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
# CPack runs this when everything is installed in a folder for each package: what the package ppu has, the
# package libppu-dev, which depends on it, does not have again.
set(root ${CPACK_TEMPORARY_DIRECTORY})
file(GLOB_RECURSE files RELATIVE ${root}/runtime ${root}/runtime/*)
foreach(file IN LISTS files)
  file(REMOVE ${root}/development/${file})
endforeach()
file(REMOVE_RECURSE ${root}/development/usr/libexec)
