import { describe, expect, it } from 'vitest';

import { inputLines } from './input-lines.js';

describe('inputLines', () => {
  it('says what each input is', () => {
    const schema = {
      required: ['month'],
      properties: {
        month: { type: 'string', description: 'As year and month' },
        top: { type: 'integer', default: 10 },
        mode: { enum: ['draft', 'final'] },
        table: { type: 'string', format: 'file' },
        anything: true,
        maybe: { type: ['string', 'null'] },
      },
    };
    expect(inputLines(schema)).toEqual([
      '`month` text, required: As year and month',
      '`top` a whole number, else 10',
      '`mode` one of "draft", "final"',
      '`table` a file',
      '`anything` anything',
      '`maybe` text or nothing',
    ]);
    expect(inputLines({})).toEqual([]);
  });
});
