import { describe, expect, it } from 'vitest';

import { MAX_TEXT_BYTES, textOf } from './text-of.js';

describe('textOf', () => {
  it('reads UTF-8 so that it can be written back byte for byte', () => {
    const bytes = new TextEncoder().encode('\ufeffGrüße\r\n');
    expect(new TextEncoder().encode(textOf(bytes) ?? '')).toEqual(bytes);
    expect(textOf(new Uint8Array())).toBe('');
  });

  it.each([[[0x50, 0x00, 0x51]], [[0xff, 0xfe, 0x41]], [[0xc3]]])('takes %j for no text', (bytes) =>
    expect(textOf(new Uint8Array(bytes))).toBeNull(),
  );

  it('reads no more than what is shown', () => {
    expect(textOf(new Uint8Array(MAX_TEXT_BYTES).fill(65))).toHaveLength(MAX_TEXT_BYTES);
    expect(textOf(new Uint8Array(MAX_TEXT_BYTES + 1).fill(65))).toBeNull();
  });
});
