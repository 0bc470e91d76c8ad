import { describe, expect, it } from 'vitest';

import { textOf } from './text-of.js';

const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);

describe('textOf', () => {
  it('reads UTF-8, and nothing else', () => {
    expect(textOf(new TextEncoder().encode('Grüße\n'))).toBe('Grüße\n');
    expect(textOf(bytes())).toBe('');
    expect(textOf(bytes(0x50, 0x00, 0x51))).toBeNull();
    expect(textOf(bytes(0xff, 0xfe, 0x41))).toBeNull();
  });
});
