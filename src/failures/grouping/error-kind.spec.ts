import { describe, expect, it } from 'vitest';

import { kindOf } from './error-kind.js';
import { withoutVarying } from './varying-text.js';

const python = (line: number, message: string, file = '/app/main.py') => [
  'reading the order 17',
  'Traceback (most recent call last):',
  `  File "${file}", line ${line}, in <module>`,
  '    total(load())',
  `  File "${file}", line ${line + 4}, in total`,
  '    return rows[17]',
  '           ~~~~^^^^',
  '  File "/app/lib/site-packages/frames/rows.py", line 3, in __getitem__',
  `KeyError: ${message}`,
];
const node = (line: number, message: string) => [
  '/app/main.js:3',
  'throw new TypeError(message);',
  '^',
  '',
  `TypeError: ${message}`,
  `    at cityOf (file:///app/lib/cities.js:${line}:9)`,
  '    at Module._compile (node:internal/modules/cjs/loader:1554:14)',
  '',
  'Node.js v24.1.0',
];

describe('kindOf', () => {
  it('tells an exception of Python by its type and the last of the own frames', () => {
    const kind = kindOf("exit code 1: KeyError: 'order 17'", python(3, "'order 17'"));
    expect(kind).toMatchObject({
      title: 'KeyError: <value>',
      exception: 'KeyError',
      place: 'main.py in total',
    });
    expect(kind.sample).toBe(python(3, "'order 17'").slice(1).join('\n'));
    const other = kindOf("exit code 1: KeyError: 'order 18'", python(90, "'order 18'"));
    expect(other.fingerprint).toBe(kind.fingerprint);
    const elsewhere = kindOf("exit code 1: KeyError: 'a'", python(3, "'a'", '/app/other.py'));
    expect(elsewhere.fingerprint).not.toBe(kind.fingerprint);
  });

  it('tells an exception of Node by its type and the first of the own frames', () => {
    const kind = kindOf('exit code 1: TypeError: no such city 17', node(4, 'no such city 17'));
    expect(kind).toMatchObject({
      title: 'TypeError: no such city <n>',
      exception: 'TypeError',
      place: 'lib/cities.js in cityOf',
    });
    expect(kindOf('exit code 1: TypeError: other words', node(90, 'other words')).fingerprint).toBe(
      kind.fingerprint,
    );
  });

  it('takes a message of several lines for what it is', () => {
    const log = [...python(3, 'first'), 'second line'];
    expect(kindOf('exit code 1: KeyError: first', log)).toMatchObject({
      exception: 'KeyError',
      title: 'KeyError: first',
    });
  });

  it('tells a group of exceptions by the frames of the group', () => {
    const log = [
      '  + Exception Group Traceback (most recent call last):',
      '  |   File "/app/main.py", line 9, in sync',
      '  | ExceptionGroup: two problems (2 sub-exceptions)',
      '  +-+---------------- 1 ----------------',
      '    |   File "/app/main.py", line 3, in load',
      '    | ValueError: a',
    ];
    expect(kindOf('exit code 1: ExceptionGroup: two problems (2 sub-exceptions)', log)).toMatchObject({
      exception: 'ExceptionGroup',
      place: 'main.py in sync',
    });
  });

  it('does not go by an exception that the run did not end with', () => {
    const log = [...python(3, "'a'"), 'giving up'];
    expect(kindOf('exit code 3: giving up after all', log)).toMatchObject({
      exception: null,
      title: 'exit code 3: giving up after all',
    });
  });

  it('tells anything else by its words, without what varies', () => {
    const one = kindOf('exit code 3: no row 17 of run_01k7q3v5yzf8c9m2n4p6r8t0vw at 10.0.0.1:443', []);
    const other = kindOf('exit code 3: no row 4,000 of run_01k7q3v5yzf8c9m2n4p6r8t0vx at 10.0.0.2:80', []);
    expect(one).toMatchObject({ title: 'exit code 3: no row <n> of <id> at <address>', place: null });
    expect(other.fingerprint).toBe(one.fingerprint);
    expect(kindOf('exit code 4: no row 17 of <id> at <address>', []).fingerprint).not.toBe(one.fingerprint);
    expect(kindOf(null, []).title).toBe('The run failed without an error');
  });

  it('is bounded, however much a run says', () => {
    for (const word of ['a', '1', "'", '/', '.', '@', 'a@', '/a', "'a ", '1.', '😀', 'a😀']) {
      const kind = kindOf(`exit code 1: ${word.repeat(20_000)}`, [word.repeat(4_000), word.repeat(4_000)]);
      expect([...kind.title].length).toBeLessThanOrEqual(200);
      expect([...kind.sample].length).toBeLessThanOrEqual(4_000);
      expect(Object.values(kind).join().isWellFormed()).toBe(true);
    }
  });
});

describe('withoutVarying', () => {
  it.each([
    ["can't open '/tmp/a b' for reading", "can't open <value> for reading"],
    ['GET https://api.example.com/v1/items?id=7 said 503', 'GET <address> said <n>'],
    ['jane.doe@example.com is not a member', '<address> is not a member'],
    ['no /app/data/2026-01.csv in /tmp/x1/', 'no <path> in <path>'],
    ['object 0x7f3a2b41c8d0 of 3f2b8c1d-5a6e-4f70-8192-a3b4c5d6e7f8', 'object <id> of <id>'],
    ['timed out after 30 s, or 1.5s', 'timed out after <n> s, or <n>s'],
    ['utf8 and/or base64 of sha256', 'utf8 and/or base64 of sha256'],
    ['the commit 9fceb02d0ae598e95dc970b74767f19372d61af8', 'the commit <id>'],
  ])('%s', (text, words) => {
    expect(withoutVarying(text)).toBe(words);
  });
});
