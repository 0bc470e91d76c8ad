import { describe, expect, it } from 'vitest';

import { type VersionFile, fileChanges } from './version-files.js';

const file = (path: string, sha256: string, rest: Partial<VersionFile> = {}): VersionFile => ({
  path,
  sha256,
  kind: 'file',
  size: 1,
  executable: false,
  ...rest,
});

describe('What differs between two versions', () => {
  it('is what was added, changed and removed, by path', () => {
    const before = [file('a.py', '1'), file('b.py', '1'), file('z.py', '1')];
    const after = [file('b.py', '2'), file('c.py', '1'), file('z.py', '1')];
    expect(fileChanges(before, after)).toEqual([
      { path: 'a.py', change: 'removed' },
      { path: 'b.py', change: 'changed' },
      { path: 'c.py', change: 'added' },
    ]);
  });

  it('has a file that became executable', () => {
    expect(fileChanges([file('run.sh', '1')], [file('run.sh', '1', { executable: true })])).toEqual([
      { path: 'run.sh', change: 'changed' },
    ]);
  });
});
