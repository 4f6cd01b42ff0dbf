// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The stable numbers of everything the assembler complains about. A number is never used again for
// something else; explanations.cpp has a paragraph for each.
#pragma once

namespace ppu::firmware {

/// E001, E002, ...: there is no image.
enum class Error {
  kCharacter = 1,
  kNotANumber,
  kNoStatement,
  kComma,
  kOperandMissing,
  kLabelInKernel,
  kDirective,
  kKernelInKernel,
  kKernelOpen,
  kKernelName,
  kEndAlone,
  kEndOperand,
  kName,
  kDefinedTwice,
  kLabelAtEnd,
  kNoControl,
  kRunsPast,
  kTooLong,
  kInstruction,
  kOperationInControl,
  kInstructionOperands,
  kRegister,
  kNumber,
  kImmediate,
  kNoTarget,
  kTargetKind,
  kOperation,
  kInstructionInKernel,
  kFirstOperation,
  kOperationOperands,
  kUnitTwice,
  kControlField,
  kUpdateTooEarly,
  kResultName,
  kInPlace,
  kResultsAlike,
  kUndefined,
  kOperand,
  kNoFields,
  kRowField,
  kCount = kRowField,
};

/// W001, W002, ...: there is an image, but hardly the one that was meant.
enum class Warning {
  kUnusedKernel = 1,
  kUnusedLabel,
  kUnusedValue,
  kUnnamedLead,
  kVelocityAlone,
  kBudgetAndLead,
  kCount = kBudgetAndLead,
};

}  // namespace ppu::firmware
