import { describe, expect, it } from 'vitest';

import { called, endWithEachTest, folder, LANGUAGES, open, source } from './test/kept.js';

const PRINTS = {
  node: source('node', "for (let i = 0; i < 50_000; i++) console.log('line ' + i);\nreturn 1;"),
  python: source('python', 'for i in range(50_000): print("line", i)\nreturn 1'),
};

describe.each(LANGUAGES)('a function of %s that is called once', (language) => {
  endWithEachTest();

  it('has all that it has printed in its log, however fast', async () => {
    const box = await open({ kept: false });
    const app = folder(PRINTS[language]);
    for (let n = 0; n < 3; n++) {
      const { code, stdout, stderr } = await called(box, language, app);
      expect({ code, stdout, lines: stderr.split('\n').length - 1 }).toEqual({
        code: 0,
        stdout: '1',
        lines: 50_000,
      });
    }
  });
});

const PROCESSES = source(
  'python',
  `context = multiprocessing.get_context(inputs["how"])
with ProcessPoolExecutor(2, mp_context=context) as pool:
    executed = list(pool.map(square, [4, 5]))
with context.Pool(2) as pool:
    pooled = pool.map(square, [6])
queue = context.Queue()
child = context.Process(target=put, args=(queue,))
child.start()
put_there = queue.get()
child.join()
with context.Manager() as manager:
    shared = manager.dict(a=1)
    other = context.Process(target=shared.update, args=({"b": 2},))
    other.start()
    other.join()
    managed = shared.copy()
print("printed")
return [executed, pooled, put_there, managed]`,
  `import multiprocessing
from concurrent.futures import ProcessPoolExecutor

def square(x):
    return x * x

def put(queue):
    queue.put(square(7))
`,
);

describe('processes of multiprocessing', () => {
  endWithEachTest();

  it.each(['fork', 'spawn', 'forkserver'])('work in a function as in a program, by %s', async (how) => {
    const box = await open({ kept: false });
    const { code, stdout, stderr } = await called(box, 'python', folder(PROCESSES), { how });
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '[[16, 25], [36], 49, {"a": 1, "b": 2}]',
      stderr: 'printed\n',
    });
  });

  it('work in each run of a process that stays', async () => {
    const box = await open();
    const app = folder(PROCESSES);
    for (const how of ['spawn', 'forkserver', 'spawn']) {
      const { code, stdout, stderr } = await called(box, 'python', app, { how });
      expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: '[[16, 25], [36], 49, {"a": 1, "b": 2}]' });
    }
  });
});
