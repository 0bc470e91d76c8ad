import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { openSandbox, runToEnd } from './test/in-box.js';
import { network, runServed } from './test/served.js';
import { settled } from './test/settled.js';
import {
  app,
  endWithEachTest,
  ENVIRONMENT,
  open,
  processesOfTemplates,
  RUN,
  spec,
} from './test/templates.js';

describe('interpreters that are forked for each run of a script', () => {
  endWithEachTest();

  it('have the egress of their run, and of no other', async () => {
    const box = await open();
    const path = app(
      'import urllib.request\nprint(urllib.request.urlopen("https://api.example.com/x").read().decode())\n',
    );
    const served = (greeting: string): ReturnType<typeof runServed> =>
      runServed(box, { ...spec(path), network: network() }, greeting);
    await settled(box, () => served('first'));
    for (const greeting of ['second', 'third', 'fourth']) {
      const { forked, stdout, stderr } = await served(greeting);
      expect({ ...box.templateState, forked, stdout, stderr }).toEqual({
        ...box.templateState,
        reason: null,
        forked: true,
        stdout: `${greeting} api.example.com/x 443\n\n`,
        stderr: '',
      });
    }
    expect(box.templateState).toMatchObject({ made: 1, templates: 1 });
  });

  it('are made anew after some runs', async () => {
    const box = await open({ mostRuns: 2 });
    const path = app('import json\nprint(hash("x"))\n');
    await settled(box, () => runToEnd(box, spec(path)));
    const first = await runToEnd(box, spec(path));
    await settled(box, async () => {
      const second = await runToEnd(box, spec(path));
      expect([second.forked, second.stdout]).toEqual([true, first.stdout]);
    });
    const third = await runToEnd(box, spec(path));
    expect(third.forked).toBe(true);
    expect(third.stdout).not.toBe(first.stdout);
  });

  it('have imported whatever the script begins with', async () => {
    const box = await open();
    // What was there before the fork is frozen, and not among what can be collected.
    const last = 'print(not any(one is colorsys.rgb_to_hsv for one in gc.get_objects()))';
    const path = app(
      `"A script."\nfrom __future__ import annotations\nimport json\nimport gc, email\nimport colorsys\n${last}\n`,
    );
    await settled(box, () => runToEnd(box, spec(path)));
    const { forked, stdout } = await runToEnd(box, spec(path));
    expect({ forked, stdout }).toEqual({ forked: true, stdout: 'True\n' });
  });

  it('serve one name only', async () => {
    const box = await open();
    const path = app('import json\n');
    await settled(box, () => runToEnd(box, spec(path, 'one')));
    expect((await runToEnd(box, spec(path, 'other'))).forked).toBe(false);
    expect((await runToEnd(box, spec(path, 'one'))).forked).toBe(true);
    expect((await runToEnd(box, { ...spec(path), template: undefined as never })).forked).toBe(false);
  });

  it('give way to those that were used later, where there is not room for both', async () => {
    const box = await open();
    const paths = [app('import json\n'), app('import json, email\n')];
    const owned = (path: string) => ({ ...spec(path), templateOwner: 'someone' });
    await settled(box, () => runToEnd(box, owned(paths[0]!)));
    const { bytes } = box.templateState!;
    await box.close();
    const small = await open({ memoryBytes: bytes * 1.7 });
    for (const path of paths) await settled(small, () => runToEnd(small, owned(path)));
    expect(small.templateState).toMatchObject({ made: 2, templates: 1 });
    expect((await runToEnd(small, spec(paths[1]!))).forked).toBe(true);
    expect((await runToEnd(small, spec(paths[0]!))).forked).toBe(false);
  });

  it('serve one run at a time', async () => {
    const box = await open();
    const path = app('import time\ntime.sleep(0.3)\n');
    await settled(box, () => runToEnd(box, spec(path)));
    const both = await Promise.all([runToEnd(box, spec(path)), runToEnd(box, spec(path))]);
    expect(both.map(({ forked }) => forked).sort()).toEqual([false, true]);
  });

  it('reach process 1 of their box at no time', async () => {
    const box = await open();
    const path = app('import module\nprint(module.found)\n', {
      '.deps/module.py': `
import os
def tried(path, flags):
    try:
        return os.close(os.open(path, flags))
    except OSError as error:
        return error.strerror
found = [tried("/proc/1/mem", os.O_RDWR), tried("/proc/1/maps", os.O_RDONLY), os.listdir("/proc/1")]
`,
    });
    await settled(box, () => runToEnd(box, spec(path)));
    expect(await runToEnd(box, spec(path))).toMatchObject({
      forked: true,
      stdout: "['No such file or directory', 'No such file or directory', []]\n",
    });
  });

  it.each([
    ['a code', 'os._exit(7)', { code: 7, signal: null }],
    ['a signal', 'os.kill(os.getpid(), 9)', { code: null, signal: 'SIGKILL' }],
    ['nothing', 'os._exit(0)', { code: 0, signal: null }],
  ])('know how a run ended that nobody may look into: by %s', async (_, end, expected) => {
    const box = await open();
    const path = app(`import ctypes, os\nctypes.CDLL(None).prctl(4, 0)\n${end}\n`);
    await settled(box, () => runToEnd(box, spec(path)));
    for (let round = 0; round < 2; round++)
      expect(await runToEnd(box, spec(path))).toMatchObject({ forked: true, ...expected });
  });

  it('do not take the end of another process for that of a run', async () => {
    const box = await open();
    // CLONE_PARENT: its sibling ends well.
    const path = app(`
import ctypes, os, time
call = ctypes.CDLL(None).syscall
ctypes.CDLL(None).prctl(4, 0)
if call(56, 0x8011, 0, 0, 0, 0) == 0: os._exit(0)
time.sleep(0.2)
os._exit(7)
`);
    await settled(box, () => runToEnd(box, spec(path)));
    expect(await runToEnd(box, spec(path))).toMatchObject({ forked: true, code: null, signal: 'SIGKILL' });
    expect((await runToEnd(box, spec(path))).forked).toBe(false);
  });

  it('are made two at a time, and one for each owner', async () => {
    const box = await open();
    // A template is made for as long as the test likes: only a run is started by its name.
    const slow = (): string =>
      app('import module\n', {
        '.deps/module.py': `
import os, time
go = os.path.join(os.path.dirname(__file__), "go")
with open("/proc/self/cmdline") as file:
    run = "main.py" in file.read()
while not run and not os.path.exists(go):
    time.sleep(0.01)
`,
      });
    const paths = [slow(), slow(), slow(), slow()] as const;
    const asked = async (index: number, templateOwner: string): Promise<number> => {
      await runToEnd(box, { ...spec(paths[index]!), templateOwner });
      return box.templateState!.making;
    };
    expect(await asked(0, 'one')).toBe(1);
    expect(await asked(1, 'one')).toBe(1);
    expect(await asked(2, 'two')).toBe(2);
    expect(await asked(3, 'three')).toBe(2);
    for (const path of paths) writeFileSync(join(path, '.deps/go'), '');
    await expect.poll(() => box.templateState).toMatchObject({ made: 2, making: 0, refused: 0 });
  });

  it('are missed by nobody, when something ends them while no run is there', async () => {
    const box = await open();
    const path = app('import json\n');
    await settled(box, () => runToEnd(box, spec(path)));
    for (const id of processesOfTemplates(RUN)) process.kill(id, 'SIGKILL');
    await expect.poll(() => box.templateState).toMatchObject({ made: 1, templates: 0 });
    expect(await runToEnd(box, spec(path))).toMatchObject({ forked: false, code: 0 });
  });

  it('are none, and nothing waits, for runs that say so', async () => {
    const box = await open();
    const path = app('import json\n');
    for (let round = 0; round < 3; round++)
      expect(await runToEnd(box, { ...spec(path), warm: false })).toMatchObject({
        ...{ startedAhead: false, forked: false },
      });
    expect(box.templateState).toMatchObject({ made: 0, refused: 0 });
  });

  it('are not there where memory is not counted', async () => {
    const sandbox = await openSandbox({ forceReduced: true });
    expect(sandbox.templateState).toBe(null);
    await sandbox.close();
  });

  it.each([
    [
      'starts a thread',
      'import threading, time\nthreading.Thread(target=time.sleep, args=(99,), daemon=True).start()',
      /threads/,
    ],
    ['opens a file', 'kept = open("/usr/bin/env")', /open file|descriptors/],
    ['opens a socket', 'import socket\nkept = socket.socket()', /open file|descriptors/],
    ['starts a process', 'import subprocess\nkept = subprocess.Popen(["sleep", "99"])', /process/],
    ['shares memory', 'import mmap\nkept = mmap.mmap(-1, 4096)', /shared memory/],
    ['writes a file', 'open("/tmp/x", "w").close()', /files/],
    ['prints', 'print("hello")', /print/],
    ['catches a signal', 'import signal\nsignal.signal(signal.SIGUSR1, print)', /signals/],
    [
      'blocks a signal',
      'import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])',
      /signals|blocks/,
    ],
    ['makes a random number', 'import os\nkept = os.urandom(8)', /random/],
    ['keeps the time', 'import time\nkept = time.time()', /clock/],
    [
      'keeps the day',
      'import datetime\nclass Kept:\n    def since(self, day=datetime.date.today()): return day',
      /clock/,
    ],
    [
      'keeps the time that a function reads',
      'import time\ndef now(): return time.time()\nkept = now()',
      /clock/,
    ],
    ['keeps the time as text', 'import time\nkept = time.strftime("%H:%M")', /clock/],
    ['keeps the time of its processor', 'import time\nkept = time.process_time()', /clock/],
    ['draws a random number', 'import random\nkept = random.random()', /random/],
    ['reads a variable of the run', 'import os\nkept = os.environ.get("TOKEN")', /variables/],
    ['reads whom the run trusts', 'import ssl\nkept = ssl.create_default_context()', /trusts/],
    ['reads all variables', 'import os\nkept = dict(os.environ)', /variables/],
    ['sets a variable', 'import os\nos.environ["A"] = "1"', /environment/],
    ['takes too much memory', 'kept = bytearray(300 << 20)', /memory/],
    [
      'takes too much memory for tables of pages that hold nothing',
      'import ctypes\nask = ctypes.CDLL(None).mmap\nask.restype = ctypes.c_void_p\nkept = ask(None, ctypes.c_size_t(150 << 30), 1, 0x4022, -1, 0)\nfor at in range(kept, kept + (150 << 30), 2 << 20): ctypes.c_char.from_address(at).value',
      /too much memory/,
    ],
    [
      'takes memory of the kernel that nobody counts',
      'import socket, time\nkept = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(900)]\n[one.bind(("127.0.0.1", 0)) for one in kept]\ntime.sleep(1)\nkept.clear()',
      /cannot be/,
    ],
    ['fails', 'raise ValueError("no")', /ValueError/],
    ['ends', 'import os\nos._exit(0)', /cannot be/],
    [
      'keeps a socket beside the door',
      'import os, socket\nos.register_at_fork(before=lambda: globals().setdefault("kept", socket.socket()))',
      /./,
    ],
  ])('are given up where a module %s as it is imported', async (_, source, reason) => {
    const box = await open();
    const path = app('import module\n', { '.deps/module.py': `${source}\n` });
    const run = { ...spec(path), env: { ...ENVIRONMENT, TOKEN: 'x' } };
    await settled(box, () => runToEnd(box, run));
    expect(box.templateState).toMatchObject({
      made: 0,
      refused: 1,
      reason: expect.stringMatching(reason) as string,
    });
    expect((await runToEnd(box, run)).forked).toBe(false);
  });
});
