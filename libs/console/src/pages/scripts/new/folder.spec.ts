import { describe, expect, it } from 'vitest';

import { folderProblem, isLeftOut, pathProblem, withoutWrapper } from './folder.js';

describe('a folder that is dropped', () => {
  it.each(['node_modules/a.js', 'src/__pycache__/a.pyc', '.git/HEAD', '.venv/bin/python', 'a/.DS_Store'])(
    'is taken without %s',
    (path) => expect(isLeftOut(path)).toBe(true),
  );

  it.each(['main.py', 'src/node_modules.ts', '.github/x.yml', '.gitignore'])('keeps %s', (path) =>
    expect(isLeftOut(path)).toBe(false),
  );

  it('loses the one folder around everything', () => {
    const paths = (files: string[]) =>
      withoutWrapper(files.map((path) => ({ path }))).map(({ path }) => path);
    expect(paths(['a/main.py', 'a/b/c.py'])).toEqual(['main.py', 'b/c.py']);
    expect(paths(['a/main.py', 'ab/c.py'])).toEqual(['a/main.py', 'ab/c.py']);
    expect(paths(['main.py'])).toEqual(['main.py']);
    expect(paths([])).toEqual([]);
  });

  it('is refused before it is sent, with the limit', () => {
    expect(folderProblem([])).toMatch(/no file/);
    expect(folderProblem(Array.from({ length: 20_001 }, () => ({ size: 1 })))).toMatch(/20,001.*20,000/);
    expect(folderProblem([{ size: 300 * 1024 * 1024 }])).toMatch(/300 MB.*200 MB/);
    expect(folderProblem([{ size: 3 }])).toBeNull();
  });
});

describe('the path of a new file', () => {
  it.each(['', ' ', '/a', 'a//b', '../a', 'a/..', './a', 'a/', 'a\nb'])('is not %j', (path) =>
    expect(pathProblem(path, [])).toEqual(expect.any(String)),
  );

  it('does not collide', () => {
    const others = ['main.py', 'src/a.py'];
    expect(pathProblem('main.py', others)).toMatch(/already/);
    expect(pathProblem('src', others)).toMatch(/folder and a file/);
    expect(pathProblem('main.py/x', others)).toMatch(/folder and a file/);
    expect(pathProblem('src/b.py', others)).toBeNull();
  });
});
