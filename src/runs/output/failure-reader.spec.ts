import { describe, expect, it } from 'vitest';
import { processorTime } from '../../../libs/fuzz/index.js';
import { FailureReader } from './failure-reader.js';

function errorOf(text: string, code: number | null = 1, isFunction = false): string | null {
  const reader = new FailureReader();
  for (const line of text.split('\n')) reader.add(line);
  return reader.failure(code, isFunction)?.text ?? null;
}

const traceback = (error: string, place = '<module>') =>
  `Traceback (most recent call last):\n  File "/app/main.py", line 3, in ${place}\n    go()\n    ~~^^\n${error}`;
const thrown = (error: string) =>
  `file:///app/main.mjs:2\n  throw new NoSuchBucket("it")\n        ^\n\n${error}\n    at file:///app/main.mjs:2:9\n\nNode.js v24.1.0\n`;

describe('FailureReader', () => {
  it.each([
    ['nothing', '', null],
    ['only white space', '  \n\n', null],
    ['the last line of a text', 'a\nb  \n\n', 'b'],
    ['the first line of a block', 'going on\nError: no row\n  in table a\n  in table b', 'Error: no row'],
    ['a line with colours', '\u001b[31merror: no host\u001b[0m\n', 'error: no host'],
    ['an exception without a message', traceback('KeyboardInterrupt'), 'KeyboardInterrupt'],
    ['a local class', traceback('f.<locals>.Boom: a: b'), 'f.<locals>.Boom: a: b'],
    [
      'a message of several lines',
      traceback('db.Error: no table\nLINE 1: select\n       ^'),
      'db.Error: no table',
    ],
    [
      'a message with an empty line',
      traceback('db.Error: refused\n\n[SQL: select 1]\n(see x)'),
      'db.Error: refused',
    ],
    ['a message that begins below', traceback('ValueError: \nsecond line\n'), 'ValueError: second line'],
    ['what is printed at exit', traceback('ValueError: bad row\nclosing'), 'ValueError: bad row'],
    [
      'a cause',
      `${traceback('KeyError: 1')}\n\nDuring handling of the above exception, another exception occurred:\n\n${traceback('ValueError: bad', 'load')}`,
      'ValueError: bad',
    ],
    [
      'a group',
      '  + Exception Group Traceback (most recent call last):\n  |   File "/app/main.py", line 1, in <module>\n  |     go()\n' +
        '  | ExceptionGroup: two (2 sub-exceptions)\n  | a note\n  +-+---------------- 1 ----------------\n    | ValueError: a\n' +
        '    +---------------- 2 ----------------\n    | Traceback (most recent call last):\n    |   File "/app/main.py", line 2, in f\n' +
        "    | KeyError: 'b'\n    +------------------------------------\nclosing",
      'ExceptionGroup: two (2 sub-exceptions)',
    ],
    [
      'a file that cannot be parsed',
      '  File "/app/main.py", line 1\n    x = = 1\n        ^\nSyntaxError: invalid syntax\n',
      'SyntaxError: invalid syntax',
    ],
    [
      'an error of a destructor after it',
      `${traceback('ValueError: main')}\nException ignored in: <function A.__del__ at 0x7f>\n${traceback('RuntimeError: del', '__del__')}`,
      'ValueError: main',
    ],
    ['an error that was logged', `ERROR:root:no luck\n${traceback('KeyError: 1')}\ngiving up`, 'giving up'],
    ['an error that a function caught', `${traceback('KeyError: 1', 'load')}\ngiving up`, 'giving up'],
    [
      'an error of a thread',
      `Exception in thread Thread-1 (f):\n${traceback('KeyError: 1', '_bootstrap_inner')}\ngiving up`,
      'giving up',
    ],
    ['an error of Node by any name', thrown('NoSuchBucket: none'), 'NoSuchBucket: none'],
    ['a message of several lines in Node', thrown('NoSuchBucket: none\nof\n\nthem'), 'NoSuchBucket: none'],
    [
      'properties',
      thrown('Error: no file {').replace('\n\nNode', "\n  code: 'X'\n}\n\nNode"),
      'Error: no file',
    ],
    [
      'an assertion',
      thrown('AssertionError: should be equal:\n\n1 !== 2\n'),
      'AssertionError: should be equal: 1 !== 2',
    ],
    ['what Node prints at exit', `${thrown('NoSuchBucket: none')}closing`, 'NoSuchBucket: none'],
    [
      'rejected text',
      '\nnode:internal/modules/run_main:107\n    triggerUncaughtException(\n    ^\nthe shop said no\n(Use `node --trace-uncaught ...` to show where the exception was thrown)\n\nNode.js v24.1.0',
      'the shop said no',
    ],
    [
      'a thrown object',
      '\n/app/main.js:1\nthrow {}\n^\n{\n  code: 1,\n  deep: {\n    a: 2\n  }\n}\nThrown at:\n    at /app/main.js:1:1\n\nNode.js v24.1.0',
      '{ code: 1, deep: { a: 2 } }',
    ],
    [
      'several errors in one',
      '/app/main.js:1\n  throw it\n  ^\n\n[AggregateError: All promises were rejected] {\n  [errors]: [\n    Error: a\n        at /app/main.js:1:1\n  ]\n}\n\nNode.js v24.1.0',
      '[AggregateError: All promises were rejected]',
    ],
    [
      'an error that is printed',
      'Error: first\nline\n    at f (/app/main.js:1:2) {\n  code: 1\n}',
      'Error: first',
    ],
    ['an error that is printed earlier', 'Error: first\n    at f (/app/main.js:1:2)\ngiving up', 'giving up'],
    ['no error above the version', 'Node.js v24.1.0', 'Node.js v24.1.0'],
    [
      'Bun',
      '1 | throw x\n          ^\nerror: boom\n      at /app/x.ts:1:11\n\nBun v1.1.0 (Linux x64)',
      'error: boom',
    ],
    [
      'Deno',
      'error: Uncaught (in promise) Error: boom\nthrow new Error("boom");\n      ^\n    at file:///app/x.ts:1:7',
      'error: Uncaught (in promise) Error: boom',
    ],
    [
      'Go',
      'panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n\t/app/main.go:4 +0x27\nexit status 2',
      'panic: boom',
    ],
    [
      'Ruby',
      "main.rb:4:in 'g': outer (Outer)\n\tfrom main.rb:8:in '<main>'\nmain.rb:2:in 'f': inner (Inner)\n\tfrom main.rb:3:in 'g'",
      "main.rb:4:in 'g': outer (Outer)",
    ],
    [
      'Java',
      'Exception in thread "main" a.Boom: outer\n\tat Main.main(Main.java:3)\nCaused by: a.Inner: no\n\t... 1 more',
      'Exception in thread "main" a.Boom: outer',
    ],
    [
      'Rust',
      "\nthread 'main' panicked at src/main.rs:2:5:\nboom\nnote: run with `RUST_BACKTRACE=1`",
      "thread 'main' panicked at src/main.rs:2:5: boom",
    ],
    [
      'R',
      'Error in read.csv("x") : \n  no file\nCalls: main -> read.csv\nExecution halted',
      'Error in read.csv("x") : no file',
    ],
    ['Bash', 'loading\nmain.sh: line 3: foo: command not found', 'main.sh: line 3: foo: command not found'],
    ['npm', `${thrown('NoSuchBucket: none')}npm error code 1\nnpm error path /app`, 'NoSuchBucket: none'],
  ])('finds %s', (_, text, error) => {
    expect(errorOf(text)).toBe(error);
  });

  it('goes by how the program ended', () => {
    const handled = `${traceback('KeyError: 1')}\ngiving up`;
    expect(errorOf(handled, 3)).toBe('giving up');
    expect(errorOf(handled, null)).toBe('giving up');
    expect(errorOf(`${traceback('KeyboardInterrupt')}\nbye`, null)).toBe('KeyboardInterrupt');
    expect(errorOf(`${thrown('NoSuchBucket: none')}curl: (6) no host`, 6)).toBe('curl: (6) no host');
  });

  it('knows that the frames of a handler begin in it', () => {
    expect(errorOf(`${traceback('ValueError: bad', 'main')}\nclosing`, 1, true)).toBe('ValueError: bad');
  });

  it('takes time in proportion to the text', async () => {
    for (const part of [
      '^',
      '{',
      '1:',
      ' ',
      'A.',
      '  |',
      '[',
      'a(',
      '-',
      'Error: ',
      '\n{',
      '\n  | ',
      '\n^',
      '\nA:',
    ]) {
      const lines = part.repeat(100_000 / part.length);
      const text = `${traceback('A:')}\n${lines}\nError: {\n${lines}`;
      expect(await processorTime(() => errorOf(text))).toBeLessThan(2_000);
    }
  });
});
