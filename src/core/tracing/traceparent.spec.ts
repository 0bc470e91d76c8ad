import { describe, expect, it } from 'vitest';

import { parseTraceparent, writeTraceparent } from './traceparent.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('a traceparent', () => {
  it.each([
    ['01', true],
    ['00', false],
    ['03', true],
    ['fe', false],
  ])('says by its flags %s whether spans are recorded: %s', (flags, sampled) => {
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-${flags}`)).toEqual({
      traceId: TRACE,
      spanId: SPAN,
      sampled,
    });
  });

  it.each([
    ['nothing', null],
    ['an empty text', ''],
    ['a version that is not known', `01-${TRACE}-${SPAN}-01`],
    ['the version that there never is', `ff-${TRACE}-${SPAN}-01`],
    ['more than the version has', `00-${TRACE}-${SPAN}-01-more`],
    ['two headers joined', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
    ['capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['an empty trace', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['an empty span', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['a line break', `00-${TRACE}-${SPAN}-01\n`],
    ['a short trace', `00-${TRACE.slice(1)}-${SPAN}-01`],
  ])('is none where there is %s', (_, text) => expect(parseTraceparent(text)).toBeNull());

  it('is written as it is read', () => {
    for (const text of [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-00`]) {
      expect(writeTraceparent(parseTraceparent(text)!)).toBe(text);
    }
  });
});
