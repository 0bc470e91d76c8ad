import { describe, expect, it } from 'vitest';

import type { VersionFile } from '../coming.js';
import { fileChanges, lineChanges } from './file-changes.js';

const file = (path: string, sha256: string, rest: Partial<VersionFile> = {}): VersionFile => ({
  path,
  sha256,
  kind: 'file',
  size: 1,
  executable: false,
  ...rest,
});

describe('fileChanges', () => {
  it('finds what came, went and changed, by path', () => {
    const before = [file('same', 'a'), file('gone', 'b'), file('edited', 'c')];
    const after = [file('new', 'd'), file('edited', 'e'), file('same', 'a')];
    expect(fileChanges(before, after).map(({ path, kind }) => [path, kind])).toEqual([
      ['edited', 'changed'],
      ['gone', 'removed'],
      ['new', 'added'],
    ]);
  });

  it('counts a file that became executable as changed', () => {
    expect(fileChanges([file('a', 'x')], [file('a', 'x', { executable: true })])).toHaveLength(1);
  });
});

describe('lineChanges', () => {
  it('tells which lines came and went', () => {
    expect(lineChanges(['a', 'b'], ['b', 'c'])).toEqual({ added: ['c'], removed: ['a'] });
  });
});
