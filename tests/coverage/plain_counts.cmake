# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The open PPU authors
# Run with cmake -DFOLDER=<folder> -P: the counts of a model become those of coverage_count.hpp.
file(GLOB all ${FOLDER}/V*)
execute_process(COMMAND sed -i "s/std::atomic<uint32_t>/ppu::CoverageCount/" ${all} COMMAND_ERROR_IS_FATAL ANY)
