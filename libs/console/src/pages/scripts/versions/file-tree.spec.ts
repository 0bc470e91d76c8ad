import { describe, expect, it } from 'vitest';

import { fileTree, firstFile, openFolders } from './file-tree.js';

const of = (...paths: string[]) => paths.map((path) => ({ path, kind: 'file' as const }));

describe('fileTree', () => {
  it('nests by folder, folders first', () => {
    expect(fileTree(of('main.py', 'lib/b.py', 'lib/a.py', 'lib/deep/c.py', 'README.md'))).toEqual([
      {
        label: 'lib',
        value: 'lib/',
        children: [
          { label: 'deep', value: 'lib/deep/', children: [{ label: 'c.py', value: 'lib/deep/c.py' }] },
          { label: 'a.py', value: 'lib/a.py' },
          { label: 'b.py', value: 'lib/b.py' },
        ],
      },
      { label: 'main.py', value: 'main.py' },
      { label: 'README.md', value: 'README.md' },
    ]);
  });

  it('is empty for an archive without files', () => {
    expect(fileTree([])).toEqual([]);
  });
});

describe('openFolders', () => {
  it('opens a small archive, but not its packages', () => {
    expect(openFolders(of('src/a/b.py', '.deps/x/y.py'), undefined)).toEqual(['src/', 'src/a/']);
  });

  it('opens the way to the open file', () => {
    expect(openFolders(of('.deps/x/y.py'), '.deps/x/y.py')).toEqual(['.deps/', '.deps/x/']);
  });

  it('opens nothing of a large archive', () => {
    const many = of(...Array.from({ length: 100 }, (_, index) => `src/${index}.py`));
    expect(openFolders(many, undefined)).toEqual([]);
  });
});

describe('firstFile', () => {
  it('is what the command runs, else what explains, else the first', () => {
    expect(firstFile(of('a.py', 'src/main.py', 'README.md'), 'python3 ./src/main.py {x}')).toBe(
      'src/main.py',
    );
    expect(firstFile(of('a.py', 'README.md'), 'make')).toBe('README.md');
    expect(firstFile(of('lib/a.py', 'b.py'), 'make')).toBe('b.py');
    expect(firstFile([], 'make')).toBeUndefined();
  });
});
