// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Clients: several share a device, and none reaches what another one has. C11 and C++17, as ppu.h.
//
//   ppu_client_def def = ppu_default_client_def();
//   ppu_device client;
//   if (ppu_client_open(device, &def, &client) != PPU_OK) puts(ppu_last_error());
//
// A client is a ppu_device for every call that takes one: buffers, programs, runs and solves are
// made on it as on a device of its own, and come to the same bits. Clients may be used in threads
// of their own at the same time. Their commands take turns; see docs/inside/contexts.md.
#ifndef PPU_CLIENT_H_
#define PPU_CLIENT_H_

#include "ppu/ppu.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ppu_client_def {
  /// Set by ppu_default_client_def(); do not change.
  uint32_t cookie;
  /// Words of instruction memory that it gets of its owner's; 0, the default: a quarter.
  uint32_t program_words;
  /// Bytes of device memory and of host memory, in which its ring and all copies are staged; 0: a
  /// quarter. Default: 1 MiB. They are filled with zeros, a beat in a cycle.
  size_t device_bytes, host_bytes;
  /// Cycles that one of its commands may take: a run is ended then, a copy between two of its
  /// ranges, and both with PPU_ERROR_COMMAND. 0: any number; then it can keep the others waiting.
  /// Default: 100 million.
  uint32_t quota_cycles;
} ppu_client_def;

PPU_API ppu_client_def ppu_default_client_def(void);
/// Opens a client of `owner`, which is a device that ppu_device_open() has opened on a back end
/// other than "platform". Its memories hold zeros. ppu_device_close() closes it: its runs end, its
/// memories are filled with zeros and go back to the owner. Closing the owner closes its clients.
/// PPU_ERROR_CAPACITY: the owner has not so much memory left, or three clients.
/// While there are clients, no run of theirs and none of the owner may be `chained`, and solves
/// copy all rows before they run. A client reads no profiles of rows, and of the counters of the
/// device its cycles alone.
PPU_API ppu_result ppu_client_open(ppu_device owner, const ppu_client_def* def, ppu_device* client);

#ifdef __cplusplus
}
#endif

#endif  // PPU_CLIENT_H_
