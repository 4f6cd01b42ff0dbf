// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Image to assembly text that assembles to the same image.
#pragma once

#include <string>
#include <vector>

#include "firmware/assembler/assembler.hpp"
#include "firmware/assembler/image.hpp"

namespace ppu::firmware {

/// Canonical text: generated labels (`L4`) and kernel names (`kernel_9`), canonical names of the
/// values in the pipe. Throws ImageError naming the word that is no instruction.
std::string disassemble(const Image& image);

/// The image as if it had been assembled from its canonical text. Throws ImageError.
Assembly reassemble(const Image& image);

/// The kernels of an image, found by their words. Throws ImageError.
std::vector<Kernel> find_kernels(const Image& image);

}  // namespace ppu::firmware
