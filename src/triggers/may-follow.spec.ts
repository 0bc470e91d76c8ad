import { describe, expect, it } from 'vitest';

import { mayFollow } from './may-follow.js';

const script = { id: 'scr_1', slug: 'report', name: 'Report' };

describe('mayFollow', () => {
  it.each<[Record<string, unknown>, boolean]>([
    [{}, true],
    [{ error: null, test: false }, true],
    [{ 'script.slug': 'report', version: 3 }, true],
    [{ 'script.slug': 'other' }, false],
    [{ 'script.id': 'scr_1', 'script.name': 'Report' }, true],
    [{ 'script.id': 'scr_2' }, false],
    [{ script }, true],
    [{ script: { slug: 'report' } }, false],
    [{ 'script.owner': 'x' }, false],
    [{ scripts: 'other' }, true],
  ])('%j: %s', (filter, follows) => {
    expect(mayFollow(filter, script)).toBe(follows);
  });
});
