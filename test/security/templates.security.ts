import { availableParallelism } from 'node:os';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { type Client, createClient, type Json, Seed } from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';
import { publishedScript, run, type TestScript } from '../support/scripts.js';
import { limitsAreReduced } from './support/attack.js';

let service: Awaited<ReturnType<typeof startGatehouse>>;
let pool: pg.Pool;
let api: Client;

beforeAll(async () => {
  const env = { GATEHOUSE_TEMPLATES: 'on', GATEHOUSE_SIGNUP: 'open', GATEHOUSE_RATE_LIMIT: '0' };
  service = await startGatehouse({ env });
  pool = new pg.Pool({ connectionString: service.databaseUrl, max: 2 });
  api = await someone();
});
afterAll(async () => {
  await pool.end();
  await service.stop();
});

/** The owner of a workspace of their own. */
async function someone(): Promise<Client> {
  const { baseUrl } = service;
  const { owner, slug } = await new Seed(baseUrl, pool).workspace();
  return createClient({ baseUrl, token: owner.token, workspace: slug });
}

// Runs are forked only where memory is counted, and not where a suite is run without interpreters that wait.
beforeEach(async ({ skip }) => {
  skip(process.env['GATEHOUSE_WARM'] === 'off' || (await limitsAreReduced()), 'no run is forked here');
});

/** One version, whose runs do what their inputs say, and tell which interpreter they were forked from. */
const DOES_AS_TOLD = `
import ctypes, errno, json, os, random, resource, signal, socket, subprocess, sys, tempfile, time, uuid
libc = ctypes.CDLL(None, use_errno=True)
def refusal(action, *arguments):
    try:
        return "done: %r" % (action(*arguments),)
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error))
def called(name, *arguments):
    return libc[name](*arguments), errno.errorcode.get(ctypes.get_errno(), "-")
with open(os.environ["GATEHOUSE_INPUTS"]) as file:
    code = json.load(file)["code"]
found, is_forked = None, os.getppid() == 3
exec(code)
sys.stdout.write(json.dumps({"forked": is_forked, "template": hash("template"), "found": found}))
`;

interface Told {
  forked: boolean;
  /** The seed of its hashes, which nothing but its own children has. */
  template: number;
  found: Json;
}

const publish = (api: Client, fields: Record<string, unknown> = {}): Promise<TestScript> =>
  publishedScript(api, { 'main.py': DOES_AS_TOLD }, { inputSchema: { type: 'object' }, ...fields });

async function tell(
  api: Client,
  script: TestScript,
  code: string,
  headers: Record<string, string> = {},
): Promise<Told> {
  const { status, body, text } = await run(api, script, { code }, headers);
  expect(status, text).toBe(200);
  expect(body, text).toMatchObject({ status: 'succeeded' });
  return body.output as Told;
}

/** An interpreter that could not be had, or for which there was no memory, is tried again after a while. */
const FORKS_MS = 60_000;

/** Runs it until a run is forked. */
async function forked(
  api: Client,
  script: TestScript,
  code = '',
  headers: Record<string, string> = {},
): Promise<Told> {
  for (const until = Date.now() + FORKS_MS; Date.now() < until;) {
    const told = await tell(api, script, code, headers);
    if (told.forked) return told;
  }
  throw new Error('no run was forked');
}

describe('what a run leaves in a box that stays', () => {
  /** The run after it, forked from the same interpreter or, where that was given up, from the next one. */
  async function afterwards(leave: string, look: string): Promise<{ left: Told; seen: Told }> {
    const script = await publish(api);
    const left = await forked(api, script, leave);
    return { left, seen: await forked(api, script, look) };
  }

  const KEPT: Record<string, [leave: string, look: string, clean: Json]> = {
    'files, wherever it can write': [
      'for folder in ("/tmp", "/outputs", "/dev/shm"):\n    open(folder + "/left", "w").write("x")\n    os.mkdir(folder + "/deep")',
      'found = [os.listdir(folder) for folder in ("/tmp", "/outputs", "/dev/shm", "/inputs", "/app")]',
      [[], [], [], ['.inputs.json'], ['main.py']],
    ],
    'processes, however they hide': [
      'for attempt in range(5):\n    if os.fork() == 0:\n        os.setsid()\n        if os.fork() == 0:\n            signal.signal(signal.SIGTERM, signal.SIG_IGN)\n            [os.close(n) for n in (0, 1, 2)]\n            time.sleep(300)\n        os._exit(0)',
      'found = [sorted(name for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()), [os.listdir(f"/proc/{number}") for number in (2, 3) if is_forked]]',
      [
        ['1', '2', '3'],
        [[], []],
      ],
    ],
    'sockets with abstract names, and ports': [
      'pid = os.fork()\nif pid == 0:\n    [os.close(n) for n in (0, 1, 2)]\n    a = socket.socket(socket.AF_UNIX); a.bind("\\0left"); a.listen()\n    b = socket.socket(); b.bind(("127.0.0.1", 4321)); b.listen()\n    time.sleep(300)\ntime.sleep(0.1)',
      'found = [refusal(socket.socket(socket.AF_UNIX).connect, "\\0left"), refusal(socket.socket().connect, ("127.0.0.1", 4321)), len(open("/proc/net/unix").readlines())]',
      ['ECONNREFUSED', 'ECONNREFUSED', 1],
    ],
    'connections that have ended': [
      'server = socket.socket(); server.bind(("127.0.0.1", 0)); server.listen()\nfor attempt in range(20):\n    one = socket.create_connection(server.getsockname()); other, _ = server.accept(); one.close(); other.close()',
      'found = [len(open("/proc/net/" + name).readlines()) for name in ("tcp", "tcp6", "udp")]',
      [1, 1, 1],
    ],
    'how far process ids have got': [
      'for attempt in range(60):\n    if os.fork() == 0: os._exit(0)\n    os.wait()',
      'found = [os.getpid(), os.getppid()]',
      [4, 3],
    ],
    'patches of modules, and what they keep': [
      'json.dumps_ = json.dumps\njson.loads = None\nos.path.join = None\nrandom.left = 1\nsys.modules["left"] = json\nimport builtins, gc\nbuiltins.left = 1\ngc.garbage.append(1)\nsys.intern("left-behind")\nuuid.uuid4.__doc__ = "left"',
      'import builtins, gc\nfound = [hasattr(json, "dumps_"), json.loads is None, os.path.join is None, hasattr(random, "left"), "left" in sys.modules, hasattr(builtins, "left"), gc.garbage, uuid.uuid4.__doc__ == "left"]',
      [false, false, false, false, false, false, [], false],
    ],
    'environment, folder, mask, limits, handlers and timers': [
      'os.environ["LEFT"] = "1"\nos.putenv("LEFT", "1")\nos.chdir("/tmp")\nos.umask(0)\nos.nice(5)\nresource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))\nsignal.signal(signal.SIGUSR1, signal.SIG_IGN)\nsignal.setitimer(signal.ITIMER_REAL, 30)\nsys.setrecursionlimit(99)',
      'found = [os.environ.get("LEFT"), os.popen("echo $LEFT").read(), os.getcwd(), os.umask(0o22), resource.getrlimit(resource.RLIMIT_NOFILE)[0], signal.getsignal(signal.SIGUSR1) == signal.SIG_DFL, list(signal.getitimer(signal.ITIMER_REAL)), sys.getrecursionlimit()]',
      [null, '\n', '/app', 0o22, 1024, true, [0, 0], 1000],
    ],
    'how fast its connections were': [
      'server = socket.socket(); server.bind(("127.0.0.1", 0)); server.listen()\none = socket.create_connection(server.getsockname()); other, _ = server.accept()\nfor attempt in range(20): one.send(b"x" * 10000); other.recv(10000)\none.close(); other.close()',
      'found = open("/proc/sys/net/ipv4/tcp_no_metrics_save").read()',
      '1\n',
    ],
    'settings of the kernel, and keys': [
      'found = []',
      'files = [os.path.join(folder, name) for folder, _, names in os.walk("/proc/sys") for name in names]\nfound = [file for file in files if os.access(file, os.W_OK)] + [refusal(lambda: os.write(os.open("/proc/sys/kernel/ns_last_pid", os.O_WRONLY), b"9")), called("syscall", 248, b"user", b"left", b"x", 1, -3)[0]]',
      ['/proc/sys/kernel/ns_last_pid', 'EPERM', -1],
    ],
    'what is done to the standard input': [
      'import fcntl\nfcntl.fcntl(0, fcntl.F_SETFL, os.O_NONBLOCK | os.O_APPEND)',
      'import fcntl\nfound = fcntl.fcntl(0, fcntl.F_GETFL) & (os.O_NONBLOCK | os.O_APPEND)',
      0,
    ],
    'locks of files': [
      'import fcntl\nfile = open("/app/main.py")\nif os.fork() == 0:\n    [os.close(n) for n in (0, 1, 2)]\n    fcntl.flock(file, fcntl.LOCK_EX)\n    time.sleep(300)\ntime.sleep(0.1)',
      'import fcntl\nfound = refusal(fcntl.flock, open("/app/main.py"), fcntl.LOCK_EX | fcntl.LOCK_NB)',
      'done: None',
    ],
  };

  it.each(Object.entries(KEPT))('is nothing: %s', async (_, [leave, look, clean]) => {
    const { left, seen } = await afterwards(leave, look);
    expect(seen.found).toEqual(clean);
    // All of it goes although the same interpreter stays, or the test would show little.
    expect(seen.template).toBe(left.template);
  });

  const GIVEN_UP: Record<string, [leave: string, look: string, clean: Json]> = {
    'shared memory, semaphores and queues of System V': [
      'found = [called("shmget", 1, 4096, 0o1666)[0] >= 0, called("semget", 1, 1, 0o1666)[0] >= 0, called("msgget", 1, 0o1666)[0] >= 0]',
      'found = [len(open("/proc/sysvipc/" + name).readlines()) for name in ("shm", "sem", "msg")]',
      [1, 1, 1],
    ],
    'message queues of POSIX': [
      'found = [called("mq_open", b"/left", os.O_CREAT | os.O_RDWR, 0o666, None)[0] >= 0]',
      'found = called("mq_open", b"/left", os.O_RDWR)',
      [-1, 'ENOENT'],
    ],
    'System V objects that were there': [
      'number = called("shmget", 0, 4096, 0o1600)[0]\nfound = [number >= 0, called("shmctl", number, 0, None)[0] == 0]',
      'found = called("semget", 7, 1, 0)',
      [-1, 'ENOENT'],
    ],
    'signals for it': [
      'if is_forked: os.kill(3, signal.SIGUSR1); os.kill(3, signal.SIGSTOP)\nfound = [True]',
      'found = open("/proc/self/status").read().split("SigPnd:\\t")[1][:16]',
      '0'.repeat(16),
    ],
    'signals for what it was forked from': [
      'if is_forked: os.kill(2, signal.SIGUSR1)\nfound = [True]',
      'found = open("/proc/self/status").read().split("SigPnd:\\t")[1][:16]',
      '0'.repeat(16),
    ],
    'the share of a session': [
      'while True:\n    try: os.write(os.open("/proc/self/autogroup", os.O_WRONLY), b"7"); break\n    except BlockingIOError: time.sleep(0.02)\nfound = ["nice 7" in open("/proc/self/autogroup").read()]',
      'found = "nice 0" in open("/proc/self/autogroup").read()',
      true,
    ],
  };

  /** What the same user may change about the processes that stay, and what it was before. */
  const ATTRIBUTES: Record<string, [change: string, look: string]> = {
    limits: [
      'resource.prlimit(PID, resource.RLIMIT_NOFILE, (100, 100))',
      'resource.prlimit(PID, resource.RLIMIT_NOFILE)[0]',
    ],
    priority: ['os.setpriority(os.PRIO_PROCESS, PID, 19)', 'os.getpriority(os.PRIO_PROCESS, PID)'],
    processors: [
      'os.sched_setaffinity(PID, {min(os.sched_getaffinity(PID))})',
      'len(os.sched_getaffinity(PID))',
    ],
    'way of being scheduled': [
      'os.sched_setscheduler(PID, os.SCHED_BATCH, os.sched_param(0))',
      'os.sched_getscheduler(PID)',
    ],
    'priority of reading and writing': [
      'libc.syscall(251, 1, PID, 2 << 13 | 7)',
      'libc.syscall(252, 1, PID)',
    ],
  };
  const STAYING: Record<string, number> = {
    'process 1': 1,
    'its first interpreter': 2,
    'its interpreter': 3,
  };
  for (const [whose, process] of Object.entries(STAYING)) {
    for (const [name, parts] of Object.entries(ATTRIBUTES)) {
      const [change, look] = parts.map((part) => part.replaceAll('PID', `${process}`)) as [string, string];
      it(`is nothing, since the box goes with it: ${name} of ${whose}`, async () => {
        if (name === 'processors' && availableParallelism() === 1) return;
        const leave = `if is_forked:\n    before = ${look}\n    ${change}\n    found = [before, ${look}]`;
        const { left, seen } = await afterwards(leave, `found = ${look} if is_forked else None`);
        const [before, after] = left.found as [Json, Json];
        expect(after).not.toEqual(before);
        expect(seen.found).toEqual(before);
        expect(seen.template).not.toBe(left.template);
      });
    }
  }

  it.each(Object.entries(GIVEN_UP))('is nothing, since the box goes with it: %s', async (_, parts) => {
    const [leave, look, clean] = parts;
    const { left, seen } = await afterwards(leave, look);
    expect(left.found).not.toContain(false);
    expect(seen.found).toEqual(clean);
    expect(seen.template).not.toBe(left.template);
  });

  it('is nothing, when processes fork without end', async () => {
    const { seen } = await afterwards(
      'if os.fork() == 0:\n    [os.close(n) for n in (0, 1, 2)]\n    while True:\n        try: os.fork()\n        except OSError: pass\ntime.sleep(0.2)',
      'found = sorted(name for name in os.listdir("/proc") if name.isdigit())',
    );
    expect(seen.found).toEqual(['1', '2', '3', '4']);
  });

  it('is no randomness', async () => {
    const CHANCE =
      'import multiprocessing.process as m, secrets\nfound = [random.random(), str(uuid.uuid4()), str(uuid.uuid1()), os.urandom(8).hex(), secrets.token_hex(8), tempfile.mktemp(), m.current_process().authkey.hex()]';
    const { left, seen } = await afterwards(CHANCE, CHANCE);
    expect(seen.template).toBe(left.template);
    expect((seen.found as Json[]).filter((value, index) => value === left.found[index])).toEqual([]);
  });

  it('is not its interpreter’s memory: nobody can look into that, or trace it', async () => {
    const { left } = await afterwards(
      `
buffer = ctypes.create_string_buffer(64)
found = [refusal(open, "/proc/3/mem"), refusal(os.listdir, "/proc/3"), refusal(open, "/proc/2/mem"),
         called("ptrace", 16, 3, None, None), called("process_vm_readv", 3, None, 0, None, 0, 0), called("syscall", 438, 3, 0, 0)[0],
         called("syscall", 312, 3, os.getpid(), 0, 0, 0)[0], refusal(os.readlink, "/proc/3/cwd")]
`,
      '',
    );
    expect(left.found).toEqual([
      'ENOENT',
      'done: []',
      'ENOENT',
      [-1, 'EPERM'],
      [-1, expect.stringMatching(/^E(PERM|NOSYS)$/)],
      -1,
      -1,
      'ENOENT',
    ]);
  });

  it('is not the memory of process 1, which nobody can look into either', async () => {
    const { left } = await afterwards(
      'found = [refusal(open, "/proc/1/mem", "r+b"), refusal(os.listdir, "/proc/1"), refusal(open, "/proc/self/../1/mem"), refusal(open, "/proc/1/oom_score_adj", "w"), called("ptrace", 16, 1, None, None), called("process_vm_writev", 1, None, 0, None, 0, 0)]',
      '',
    );
    expect(left.found).toEqual([
      'ENOENT',
      'done: []',
      'ENOENT',
      expect.stringMatching(/^E(ROFS|NOENT|ACCES)$/),
      [-1, 'EPERM'],
      [-1, expect.stringMatching(/^E(PERM|NOSYS)$/)],
    ]);
  });

  it('is not the end of its own or the next run, when it ends its interpreter', async () => {
    const script = await publish(api);
    const before = await forked(api, script);
    const told = await forked(
      api,
      script,
      'if is_forked: os.kill(2, 9)\ntime.sleep(0.3)\nfound = os.listdir("/tmp")',
    );
    expect(told).toEqual({ ...before, found: [] });
    expect((await forked(api, script)).template).not.toBe(before.template);
  });

  it('is not its memory: each run may have as much as any, and no more', async () => {
    const { left, seen } = await afterwards(
      'held = bytearray(400 << 20)\nfound = len(held)',
      'held = bytearray(400 << 20)\nfound = len(held)',
    );
    expect([left.found, seen.found]).toEqual([400 << 20, 400 << 20]);
    const script = await publish(api);
    const { body } = await run(api, script, { code: 'held = b"x" * (560 << 20)' });
    expect(body).toMatchObject({ status: 'failed', error: expect.stringMatching(/memory/) });
  });
});

describe('an interpreter that is forked', () => {
  it('serves one environment, and one workspace', async () => {
    expect((await api.post('/v1/workspace/environments', { name: 'staging' })).status).toBe(201);
    const script = await publish(api);
    const other = await someone();
    const theirs = await publish(other);
    const seeds = [
      await forked(api, script),
      await forked(api, script, '', { 'x-environment': 'staging' }),
      await forked(other, theirs),
    ].map(({ template }) => template);
    expect(new Set(seeds).size).toBe(3);
    expect((await forked(api, script)).template).toBe(seeds[0]);
  });

  it('is not there for a version that says so, and none that waits either', async () => {
    const script = await publish(api, { warm: false });
    for (let round = 0; round < 4; round++) {
      const { forked, found } = await tell(
        api,
        script,
        'found = "/door.so" in open("/proc/self/maps").read()',
      );
      expect([forked, found]).toEqual([false, false]);
    }
  });

  it('runs nothing of the author’s before there is a run', async () => {
    const script = await publishedScript(
      api,
      {
        'main.py': 'import json\nimport own\nimport os\nprint(json.dumps([own.when, os.getppid() == 3]))\n',
        'own.py':
          'import os\nwhen = [os.getpid(), "GATEHOUSE_RUN_ID" in os.environ, os.path.exists("/inputs/.inputs.json")]\n',
      },
      { inputSchema: { type: 'object' } },
    );
    for (const until = Date.now() + FORKS_MS; ;) {
      const { body } = await run(api, script);
      const [when, isForked] = body.output as [Json, boolean];
      expect(when).toEqual([isForked ? 4 : 2, true, true]);
      if (isForked) break;
      if (Date.now() > until) throw new Error('No run was forked.');
    }
  });
});
