import { describe, expect, it } from 'vitest';

import { scriptTemplateProblem } from './script-template-problem.js';

const template = { title: 'Report', files: { 'main.py': 'print(1)\n', 'lib/table.py': '' } };

describe('a template of scripts', () => {
  it('has a title and files', () => {
    expect(scriptTemplateProblem(template)).toBeNull();
    const all = { description: 'A table.', command: 'python main.py', inputSchema: {}, hosts: ['a.example'] };
    expect(scriptTemplateProblem({ ...template, ...all })).toBeNull();
  });

  it.each<[object, RegExp]>([
    [{ title: '' }, /no title/],
    [{ title: 'a\nb' }, /no title/],
    [{ title: 'x'.repeat(41) }, /no title/],
    [{ description: 7 }, /a description that is no text/],
    [{ command: 'a\nb' }, /a command that is no line/],
    [{ inputSchema: [] }, /an inputSchema that is no object/],
    [{ hosts: [7] }, /hosts that are no list/],
    [{ files: {} }, /no 1 to 50 files/],
    [{ files: [] }, /no 1 to 50 files/],
    [
      { files: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`${n}.py`, ''])) },
      /no 1 to 50 files/,
    ],
    [{ files: { '../main.py': '' } }, /the file "..\/main.py", which has no path within/],
    [{ files: { '/etc/passwd': '' } }, /the file "\/etc\/passwd"/],
    [{ files: { 'a//b': '' } }, /the file "a\/\/b"/],
    [{ files: { 'a\\b': '' } }, /the file "a\\b"/],
    [{ files: { 'main.py': 7 } }, /the file "main.py", which has no path within the folder, or no text/],
    [{ files: { 'main.py': 'é'.repeat(140_000) } }, /more than 256 KiB/],
  ])('is refused with %j', (change, problem) => {
    expect(scriptTemplateProblem({ ...template, ...change })).toMatch(problem);
  });
});
