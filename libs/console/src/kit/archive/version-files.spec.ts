import { describe, expect, it } from 'vitest';

import { tarOf } from './tar.js';
import { fileChanges, filesOfVersion } from './version-files.js';

const folder = (files: Record<string, string>, executable = false) =>
  filesOfVersion(
    tarOf(
      Object.entries(files).map(([path, text]) => ({
        path,
        bytes: new TextEncoder().encode(text),
        executable,
      })),
    ),
  );

describe('the files of a version', () => {
  it('are listed by path, with their content', () => {
    const [first, second] = folder({ 'src/b.py': 'b', 'a.py': 'print(1)' });
    expect(first).toMatchObject({ path: 'a.py', kind: 'file', size: 8 });
    expect(new TextDecoder().decode(first!.content)).toBe('print(1)');
    expect(second!.path).toBe('src/b.py');
  });
});

describe('what differs between two versions', () => {
  it('is what was added, changed and removed, by path', () => {
    const before = folder({ same: 'a', gone: 'b', edited: 'c' });
    const after = folder({ same: 'a', edited: 'd', new: 'e' });
    expect(fileChanges(before, after).map(({ path, kind }) => [path, kind])).toEqual([
      ['edited', 'changed'],
      ['gone', 'removed'],
      ['new', 'added'],
    ]);
  });

  it('has a file that became executable', () => {
    expect(fileChanges(folder({ run: 'x' }), folder({ run: 'x' }, true))).toHaveLength(1);
  });
});
