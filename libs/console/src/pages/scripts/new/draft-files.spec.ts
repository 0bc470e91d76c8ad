import { describe, expect, it } from 'vitest';

import { draftSchema } from './draft-schema.js';
import { firstToOpen, renamed, treeOf, withFiles, withoutFile } from './draft-files.js';
import type { DraftFile } from './draft.js';

const file = (path: string, content: DraftFile['content'] = path): DraftFile => ({
  path,
  content,
  executable: false,
});
const paths = (files: DraftFile[]) => files.map(({ path }) => path);

describe('the files of a draft', () => {
  const files = [file('a.py'), file('c.py')];

  it('stay in order when one is added, renamed or removed', () => {
    expect(paths(withFiles(files, [file('b.py')]))).toEqual(['a.py', 'b.py', 'c.py']);
    expect(paths(renamed(files, 'a.py', 'z.py'))).toEqual(['c.py', 'z.py']);
    expect(paths(withoutFile(files, 'a.py'))).toEqual(['c.py']);
  });

  it('are replaced by one with the same path', () => {
    expect(withFiles(files, [file('a.py', 'new')])).toEqual([file('a.py', 'new'), file('c.py')]);
  });

  it('open with what is run', () => {
    expect(firstToOpen([file('README.md'), file('main.py')])).toBe('main.py');
    expect(firstToOpen([file('.env'), file('README.md')])).toBe('README.md');
    expect(firstToOpen([file('main.py', new Uint8Array(1)), file('z.txt')])).toBe('z.txt');
    expect(firstToOpen([])).toBeNull();
  });

  it('are a tree, folders first', () => {
    expect(treeOf(['b.py', 'src/lib/x.py', 'src/a.py', 'a.py'])).toEqual([
      {
        value: 'src/',
        label: 'src',
        children: [
          { value: 'src/lib/', label: 'lib', children: [{ value: 'src/lib/x.py', label: 'x.py' }] },
          { value: 'src/a.py', label: 'a.py' },
        ],
      },
      { value: 'a.py', label: 'a.py' },
      { value: 'b.py', label: 'b.py' },
    ]);
  });
});

describe('the schema of the test form', () => {
  const of = (inputSchema: string, command: string) => draftSchema({ inputSchema, command });

  it('is what was written, else what the command asks for', () => {
    expect(of('{"type":"object"}', 'python a.py {x}')).toEqual({ type: 'object' });
    expect(of('', 'python a.py {x} [--unit {unit}]')).toMatchObject({
      properties: { x: { type: 'string' }, unit: { type: 'string' } },
      required: ['x'],
    });
    expect(of('', '')).toBeNull();
  });

  it.each([
    ['{', ''],
    ['[]', ''],
    ['', 'python {x'],
  ])('cannot be made of %j and %j', (inputSchema, command) => {
    expect(of(inputSchema, command)).toBeInstanceOf(Error);
  });
});
