// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the modules around the engines tell each other.

package ppu_device_pkg;

  // What the device is attached to: the sizes of both memories in MiB.
  typedef struct packed {
    logic [11:0] device_mib;
    logic [11:0] host_mib;
  } memory_sizes_t;

  // What begins in a cycle, for the command at the head of the ring; runs begin engine by engine.
  typedef struct packed {
    logic command;  // any command
    logic copy;     // a copy or a program to load, for the DMA
    logic fence;
    logic query;
    logic reset;
    logic flip;
    logic scrub;    // a copy, too: of zeros
  } begin_t;

  // What the DMA is doing.
  typedef struct packed {
    logic loading;   // it writes instruction memory, or will
    logic idle;      // it has no command
    logic scrubbed;  // it has scrubbed a context in this cycle
  } dma_status_t;

  // What is wrong with a descriptor of a copy.
  typedef struct packed {
    logic misaligned;    // its ends are not at the same place of a beat
    logic empty;         // no byte
    logic device_range;  // not in device memory
    logic host_range;    // not in host memory
  } copy_faults_t;

  // A descriptor that has been carried out.
  typedef struct packed {
    logic        valid;
    logic        from_host;
    logic        to_host;
    logic [31:0] bytes;
  } carried_t;

  // What the controller of device memory has found in a beat, or a pair.
  typedef struct packed {
    logic [4:0]  corrected;  // words with one flipped bit, of 8 bytes
    logic        lost;       // there is a word with two
    logic [28:0] word;       // the first of them: its address / 8
  } memory_flaw_t;

  // Bits of device memory flip.
  typedef struct packed {
    logic        valid;
    logic        two;        // two bits, not one
    logic [28:0] word;       // of this word: its address / 8
  } memory_flip_t;

  // What the device counters count in a cycle.
  typedef struct packed {
    logic cycle;          // the cycle itself
    logic command;        // a command leaves the ring
    logic reject;         // the command that leaves is malformed
    logic doorbell;
    logic fence_written;
    logic run;
    logic carried;        // a descriptor has been carried out
    logic dma_busy;
    logic host_read;      // a beat is accepted
    logic host_write;     // a beat is accepted
    logic memory;         // a beat is accepted
    logic memory_pair;    // and the one behind it
    logic memory_wait;    // a beat is wanted and not accepted
    logic [4:0] memory_corrected;  // words of what was answered
    logic command_wait;
  } device_events_t;

  // States of the DMA, as the traces name them (kDmaPhase in hw/contract/trace.hpp).
  typedef enum logic [1:0] {
    DmaIdle = 2'd0,
    DmaMove = 2'd1,
    DmaList = 2'd2
  } dma_phase_e;

endpackage
