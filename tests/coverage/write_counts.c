// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Linked with --wrap=_exit into a program that ends by _exit(): writes what clang has counted.
int __llvm_profile_write_file(void);
void __real__exit(int status) __attribute__((noreturn));
void __wrap__exit(int status) __attribute__((noreturn));

void __wrap__exit(int status) {
  __llvm_profile_write_file();
  __real__exit(status);
}
