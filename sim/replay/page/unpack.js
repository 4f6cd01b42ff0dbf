// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Reads the blocks that packed_columns.hpp writes: base64, zlib, byte planes, differences.
"use strict";
const PPU = {};

PPU.inflate = async function (id) {
  const text = atob(document.getElementById(id).textContent);
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

// Undoes the planes and the differences of one column, from bytes[begin] on.
PPU.column = function (bytes, begin, column) {
  const numbers = new Uint32Array(column.count);
  for (let plane = 0; plane < column.bytes; ++plane) {
    const first = begin + plane * column.count;
    for (let i = 0; i < column.count; ++i) numbers[i] |= bytes[first + i] << (8 * plane);
  }
  if (column.stride > 0) {
    const mask = 2 ** (8 * column.bytes) - 1;
    for (let i = column.stride; i < column.count; ++i)
      numbers[i] = (numbers[i] + numbers[i - column.stride]) & mask;
  }
  return numbers;
};

// The head of a block with its columns as arrays of 32 bits; views on them say what they mean.
PPU.unpack = async function (id) {
  const bytes = await PPU.inflate(id);
  const size = new DataView(bytes.buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
  const columns = {};
  let begin = 4 + size;
  for (const column of head.columns) {
    columns[column.name] = PPU.column(bytes, begin, column);
    begin += column.count * column.bytes;
  }
  head.columns = columns;
  return head;
};

PPU.as_uint16 = (numbers) => Uint16Array.from(numbers);
PPU.as_int16 = (numbers) => Int16Array.from(numbers);
PPU.as_int32 = (numbers) => new Int32Array(numbers.buffer);
PPU.as_float = (numbers) => new Float32Array(numbers.buffer);
// Floats of which only the upper bits were kept.
PPU.as_short_float = (numbers, kept) =>
  PPU.as_float(numbers.map((bits) => bits << (32 - kept)));
