# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
# Run with cmake -DFOLDER=<folder> -DNAME=<target> -P: joins what Verilator wrote into the folder to two files, what
# runs in every cycle, and what runs once or while waves are opened. In the many small files of Verilator, half of the
# time to compile goes into the same headers.
file(GLOB fast RELATIVE ${FOLDER} ${FOLDER}/V*.cpp)
set(slow ${fast})
list(FILTER slow INCLUDE REGEX "__(Slow|Syms)\\.cpp$")
list(REMOVE_ITEM fast ${slow})
foreach(speed fast slow)
  list(TRANSFORM ${speed} REPLACE "(.+)" "#include \"\\1\"\n")
  list(JOIN ${speed} "" text)
  file(WRITE ${FOLDER}/${NAME}_${speed}.cpp "${text}")
endforeach()
