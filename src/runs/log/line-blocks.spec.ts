import { describe, expect, it } from 'vitest';

import { blockOf, lineBlocks, linesIn, linesWith } from './line-blocks.js';

async function* inPieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('blocks of lines', () => {
  it('are whole lines with their numbers, wherever the bytes are cut', async () => {
    const lines = ['été', '', 'b', '😀 last'];
    for (const size of [1, 3, 7, 100]) {
      const read = [];
      for await (const block of lineBlocks(inPieces(`${lines.join('\n')}\n`, size), 5))
        read.push(...linesIn(block));
      expect(read).toEqual(lines.map((line, place) => ({ number: 5 + place, line })));
    }
  });

  it('are searched whatever the case, for a text within a line', () => {
    const block = blockOf(
      ['an Äpfel', 'İ pear', 'Pear', 'x'].map((line, place) => ({ number: 10 + place, line })),
    );
    expect(linesWith(block, 'äpf')).toEqual([{ number: 10, line: 'an Äpfel' }]);
    expect(linesWith(block, 'pear').map(({ number }) => number)).toEqual([11, 12]);
    expect([linesWith(block, 'pear\nx'), linesWith(block, 'plum')]).toEqual([[], []]);
  });
});
