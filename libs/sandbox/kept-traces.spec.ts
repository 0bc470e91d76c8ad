import { describe, expect, it, vi } from 'vitest';

import type { Sandbox } from './sandbox.js';
import { called, endWithEachTest, folder, type Language, open, ready, source } from './test/kept.js';

/** Does what its inputs say, and tells how often it was called. */
const DOES_AS_TOLD = {
  python: source(
    'python',
    'global count\ncount += 1\nscope = {**globals(), "found": None, "run": run}\nexec(inputs["code"], scope)\nkept.append(scope)\nreturn {"count": count, "found": scope["found"]}',
    `import ctypes, fcntl, os, signal, socket, struct, subprocess, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
kept, count = [], 0
def daemon(work):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            try: work()
            finally: os._exit(0)
        os._exit(0)
    os.wait()
`,
  ),
  node: source(
    'node',
    'count += 1;\nconst found = await new AsyncFunction("inputs", "run", "mine", "require", inputs.code)(inputs, run, kept, require);\nreturn { count, found: found ?? null };',
    `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const AsyncFunction = (async () => {}).constructor;
const kept = {};
let count = 0;`,
  ),
};

interface Told {
  count: number;
  found: unknown;
}

async function kept(language: Language) {
  const box = await open();
  const app = folder(DOES_AS_TOLD[language]);
  const run = async (code = ''): Promise<Told & { kept: boolean; stderr: string; code: number | null }> => {
    const { stdout, stderr, kept: stays, code: end } = await called(box, language, app, { code });
    return { ...(JSON.parse(stdout || '{}') as Told), kept: stays, stderr, code: end };
  };
  await ready(box, () => run());
  return { box, run };
}

/** Why the process was ended that had stayed until now. */
async function whyEnded(box: Sandbox): Promise<string | null> {
  await vi.waitUntil(() => box.keptState!.reason !== null, { timeout: 60_000 });
  return box.keptState!.reason;
}

/** What a run leaves, by whether its process has answered before, and what it is ended for. */
const PYTHON_LEAVES: Record<string, [code: string, reason: RegExp]> = {
  'a thread': ['threading.Thread(target=time.sleep, args=(99,), daemon=True).start()', /has ended/],
  'a thread that Python does not know': [
    'libc.pthread_create(ctypes.byref(ctypes.c_ulong()), None, libc.pause, None)',
    /more threads/,
  ],
  'a process': ['subprocess.Popen(["sleep", "99"])', /has left a process/],
  'an open file': ['mine = open("/app/main.py")', /more descriptors/],
  'a server': ['mine = socket.create_server(("127.0.0.1", 8080))', /more descriptors/],
  'a file of its /tmp': ['mine = open("/tmp/x", "w")', /a file of its run/],
  'a program of its /tmp': [
    'os.chmod(open("/tmp/x", "w").name, 0o755)\nmine = os.open("/tmp/x", os.O_PATH)',
    /a file of its run/,
  ],
  ...Object.fromEntries(
    ['/tmp', '/outputs', '/dev/shm'].map((place): [string, [string, RegExp]] => [
      `a file of its ${place} in memory`,
      [
        `file = os.open("${place}/x", os.O_CREAT | os.O_RDWR)\nos.ftruncate(file, 4096)\nlibc.mmap(None, 4096, 1, 1, file, 0)\nos.close(file)`,
        new RegExp(`keeps ${place} of its run`),
      ],
    ]),
  ),
  'a copy of its output': ['mine = os.dup(1)', /keeps the output/],
  'a way to its output': ['mine = os.open("/proc/self/fd/1", os.O_PATH)', /keeps the output/],
  'its output in a message': [
    'mine = socket.socketpair()\nsocket.send_fds(mine[0], [b"x"], [1])',
    /local sockets/,
  ],
  'a lock on a file': ['mine = open("/app/main.py")\nfcntl.flock(mine, fcntl.LOCK_SH)', /keeps a lock/],
  'a timer': [
    'libc.timer_create(0, (ctypes.c_char * 64).from_buffer_copy(struct.pack("qii", 0, signal.SIGCONT, 0).ljust(64, b"\\0")), ctypes.byref(ctypes.c_void_p()))',
    /has timers/,
  ],
  'shared memory of System V': ['libc.shmget(0, 4096, 0o1600)', /has System V objects/],
  'semaphores of System V': ['libc.semget(0, 1, 0o1600)', /has System V objects/],
  'a queue of System V': ['libc.msgget(0, 0o1600)', /has System V objects/],
  'the number of an object of System V': [
    'libc.shmctl(libc.shmget(0, 4096, 0o1600), 0, None)',
    /had System V objects/,
  ],
  'a queue of messages': ['libc.mq_open(b"/left", 0o102, 0o600, None)', /descriptors|message queues/],
  'a signal that waits': [
    'signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})\nos.kill(os.getpid(), signal.SIGUSR1)',
    /was sent a signal/,
  ],
  'another umask': ['os.umask(0o77)', /changed its limits/],
  'a lower limit': [
    'import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))',
    /changed its limits/,
  ],
  'less of the processors': ['os.nice(5)', /changed its limits/],
  'a score that ends it first': ['open("/proc/self/oom_score_adj", "w").write("900")', /changed its limits/],
  'another folder for a thread': [
    'libc.syscall(272, 0x200)\nthreading.Thread(target=time.sleep, args=(99,), daemon=True).start()',
    /has ended/,
  ],
};

describe('what a run leaves behind in a process that stays', () => {
  endWithEachTest();

  it.each(Object.entries(PYTHON_LEAVES))('%s ends it', async (_, [code, reason]) => {
    const { box, run } = await kept('python');
    expect(await run()).toMatchObject({ kept: true, count: 1 });
    expect(await run(code)).toMatchObject({ kept: true, count: 2, code: 0 });
    expect(await whyEnded(box)).toMatch(reason);
    expect(await run()).toMatchObject({ count: 1, code: 0 });
  });

  it.each(Object.entries(PYTHON_LEAVES).filter(([name]) => !/^(?:an open file|a thread that)/.test(name)))(
    '%s ends it, also with its first answer',
    async (_, [code, reason]) => {
      const { box, run } = await kept('python');
      expect(await run(code)).toMatchObject({ kept: true, count: 1, code: 0 });
      expect(await whyEnded(box)).toMatch(/server/.test(_) ? /lead elsewhere/ : reason);
      expect(await run()).toMatchObject({ count: 1, code: 0 });
    },
  );

  it.each([
    ['a timer', 'setTimeout(() => console.log("late"), 2000);'],
    ['a timer that repeats', 'setInterval(() => console.log("late"), 2000);'],
    [
      'a server',
      'await new Promise((done) => require("node:net").createServer().listen(8080, "127.0.0.1", done));',
    ],
    [
      'a thread',
      'new (require("node:worker_threads").Worker)("setInterval(() => {}, 9)", { eval: true }).unref();',
    ],
    [
      'a pending read',
      'require("node:fs").promises.readFile("/dev/urandom", { signal: new AbortController().signal });',
    ],
    ['a process', 'require("node:child_process").spawn("sleep", ["99"]);'],
  ])('%s of Node ends it', async (_, code) => {
    const { box, run } = await kept('node');
    expect(await run()).toMatchObject({ kept: true, count: 1 });
    expect(await run(code)).toMatchObject({ kept: true, count: 2, code: 0, stderr: '' });
    expect(await whyEnded(box)).toMatch(/has ended/);
    expect(await run()).toMatchObject({ count: 1, stderr: '' });
  });

  it.each([
    ['an open file', 'mine.file = require("node:fs").openSync("/app/main.mjs");', /more descriptors/],
    [
      'a process that Node does not wait for',
      'require("node:child_process").spawn("sleep", ["99"], { detached: true, stdio: "ignore" }).unref();',
      /has left a process/,
    ],
    ['another umask', 'process.umask(0o77);', /changed its limits/],
    [
      'a copy of its output',
      'mine.file = require("node:fs").openSync("/proc/self/fd/1", "w");',
      /keeps the output/,
    ],
  ])('%s of Node ends it, as the kernel counts it', async (_, code, reason) => {
    const { box, run } = await kept('node');
    expect(await run()).toMatchObject({ kept: true, count: 1 });
    expect(await run(code)).toMatchObject({ kept: true, count: 2, code: 0 });
    expect(await whyEnded(box)).toMatch(reason);
  });

  it.each(['python', 'node'] as const)('is cleaned away of %s, where it can be', async (language) => {
    const { run } = await kept(language);
    const python = `
for place in "/tmp", "/outputs", "/dev/shm": open(place + "/left", "w").write("left")
os.environ["RUN_ID"] = "left"
os.chdir("/tmp")
daemon(lambda: (os.dup2(1, 9), time.sleep(1), os.write(9, b"late\\n"), time.sleep(99)))
signal.setitimer(signal.ITIMER_REAL, 2)`;
    const node = `
for (const place of ['/tmp', '/outputs', '/dev/shm']) require('node:fs').writeFileSync(place + '/left', 'left');
process.env.RUN_ID = 'left';
process.chdir('/tmp');
require('node:child_process').execFileSync('sh', ['-c', '(setsid sh -c "sleep 1; echo late; sleep 99" &) &'], { stdio: ['ignore', 'ignore', 'inherit'] });`;
    const looks = {
      python:
        'time.sleep(2.3)\nfound = [sum((os.listdir(p) for p in ("/tmp", "/outputs", "/dev/shm")), []), os.getcwd(), os.environ["RUN_ID"] == run.id, [p for p in os.listdir("/proc") if p.isdigit() and int(p) > 1 and int(p) != os.getpid()]]',
      node: 'await new Promise((done) => setTimeout(done, 1300)); const { readdirSync } = require("node:fs"); return [["/tmp", "/outputs", "/dev/shm"].flatMap((p) => readdirSync(p)), process.cwd(), process.env.RUN_ID === run.id, readdirSync("/proc").filter((p) => Number(p) > 1 && Number(p) !== process.pid)]',
    };
    for (let round = 0; round < 3; round++) {
      const left = await run(language === 'python' ? python : node);
      expect(left).toMatchObject({ kept: true, count: 2 * round + 1, stderr: '' });
      expect(await run(looks[language])).toMatchObject({
        kept: true,
        count: 2 * round + 2,
        found: [[], '/app', true, []],
        stderr: '',
      });
    }
  });

  it('may be threads of a package that were there at its first answer', async () => {
    const { run } = await kept('python');
    const [code] = PYTHON_LEAVES['a thread that Python does not know']!;
    for (const count of [1, 2, 3])
      expect(await run(count === 1 ? code : '')).toMatchObject({ kept: true, count });
  });

  it('are only its own words: nobody else ends its run', async () => {
    const { run } = await kept('python');
    const knock =
      'if os.fork() == 0:\n    try: socket.socket(socket.AF_UNIX).connect("\\0door")\n    finally: os._exit(0)\nos.wait()\ntime.sleep(0.3)\nfound = "to its end"';
    for (const count of [1, 2])
      expect(await run(knock)).toMatchObject({ kept: true, count, found: 'to its end' });
  });

  it('is nothing that it wishes early: what it has not answered is no answer', async () => {
    const { box, run } = await kept('python');
    await run();
    const early = await run('mine = socket.socket(socket.AF_UNIX)\nmine.connect("\\0door")\ntime.sleep(99)');
    expect(early.found).toBeUndefined();
    expect(await whyEnded(box)).toMatch(/keeps the output|descriptors/);
    expect(await run()).toMatchObject({ count: 1 });
  });
});
