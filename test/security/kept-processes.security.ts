import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Client, createClient, type Json, Seed } from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';
import { finished, publishedScript, run, runUntil, type TestScript } from '../support/scripts.js';

let service: Awaited<ReturnType<typeof startGatehouse>>;
let pool: pg.Pool;
let api: Client;

/** A service of its own: where others keep processes, too, these would make room for theirs. */
beforeAll(async () => {
  service = await startGatehouse({
    env: { GATEHOUSE_SIGNUP: 'open', GATEHOUSE_RATE_LIMIT: '0', GATEHOUSE_KEPT_MEMORY: '1024' },
  });
  pool = new pg.Pool({ connectionString: service.databaseUrl, max: 2 });
  api = await someone();
});
afterAll(async () => {
  await pool?.end();
  await service?.stop();
});

async function someone(): Promise<Client> {
  const { baseUrl } = service;
  const { owner, slug } = await new Seed(baseUrl, pool).workspace();
  return createClient({ baseUrl, token: owner.token, workspace: slug });
}

/** One version, whose runs do what their inputs say. */
const DOES_AS_TOLD = {
  'main.py': `import ctypes, fcntl, os, signal, socket, subprocess, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
count, mine = 0, []
def daemon(work):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            try: work()
            finally: os._exit(0)
        os._exit(0)
    os.wait()
def main(inputs, run):
    global count
    count += 1
    scope = {**globals(), "found": None, "run": run}
    exec(inputs["code"], scope)
    mine.append(scope)
    return {"count": count, "found": scope["found"]}
`,
};

const VERSION = { command: 'python main.py', handler: true, keep: {}, inputSchema: { type: 'object' } };

const victim = (fields: object = {}, from = api): Promise<TestScript> =>
  publishedScript(from, DOES_AS_TOLD, { ...VERSION, ...fields });

async function told(script: TestScript, code: string, from = api): Promise<Json> {
  const { body, text } = await run(from, script, { code });
  expect(body.id, text).toBeDefined();
  const ended = await runUntil(from, body.id, finished);
  return { ...ended, log: (await from.get(`/v1/runs/${body.id}/log`)).body.lines };
}

async function untilItStays(script: TestScript, from = api): Promise<void> {
  await expect.poll(async () => (await told(script, '', from)).output?.count).toBeGreaterThan(1);
}

/** Everything that a run finds that is not its own. */
const LOOK = `
time.sleep(0.5)
found = {
  "files": sum((os.listdir(p) for p in ("/tmp", "/outputs", "/dev/shm")), []),
  "processes": [p for p in os.listdir("/proc") if p.isdigit() and int(p) > 1 and int(p) != os.getpid()],
  "ipc": [len(open("/proc/sysvipc/" + kind).readlines()) for kind in ("shm", "sem", "msg")],
  "sockets": len(open("/proc/net/unix").readlines()) + sum(len(open("/proc/net/" + kind).readlines()) for kind in ("tcp", "udp", "tcp6")),
  "mask": os.umask(0o22),
  "folder": os.getcwd(),
}`;

const NOTHING = { files: [], processes: [], ipc: [1, 1, 1], mask: 0o22, folder: '/app' };

const LEAVES: Record<string, string> = {
  'files everywhere': 'for place in "/tmp", "/outputs", "/dev/shm": open(place + "/left", "w").write("left")',
  'a daemon that prints later': 'daemon(lambda: (time.sleep(0.3), os.write(2, b"late\\n"), time.sleep(99)))',
  'a child that prints later': 'subprocess.Popen(["sh", "-c", "sleep 0.3; echo late; sleep 99"])',
  'a thread that prints later':
    'threading.Thread(target=lambda: (time.sleep(0.3), print("late", flush=True), time.sleep(99)), daemon=True).start()',
  'a daemon that writes outputs later':
    'daemon(lambda: (time.sleep(0.2), open("/outputs/late", "w").write("late"), time.sleep(99)))',
  'a copy of its output': 'mine.append(os.dup(1))',
  'its output in a message': 'mine.append(socket.socketpair())\nsocket.send_fds(mine[-1][0], [b"x"], [1, 2])',
  'an alarm': 'signal.setitimer(signal.ITIMER_REAL, 0.2)',
  'a timer that wakes it':
    'import struct\ntimer = ctypes.c_void_p()\nlibc.timer_create(0, (ctypes.c_char * 64).from_buffer_copy(struct.pack("qii", 0, signal.SIGCONT, 0).ljust(64, b"\\0")), ctypes.byref(timer))\nlibc.timer_settime(timer, 0, (ctypes.c_long * 4)(0, 1000000, 0, 1000000), None)',
  'a server': 'mine.append(socket.create_server(("127.0.0.1", 8080)))',
  'memory of System V': 'libc.shmget(7, 4096, 0o1666)',
  'semaphores and queues of System V': 'libc.semget(7, 1, 0o1666), libc.msgget(7, 0o1666)',
  'a signal that waits':
    'signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})\nos.kill(os.getpid(), signal.SIGTERM)',
  'another umask and folder': 'os.umask(0), os.chdir("/tmp")',
  'its own word that it has ended': 'daemon(lambda: socket.socket(socket.AF_UNIX).connect("\\0door"))',
};

describe('a process that stays', () => {
  it.each(Object.entries(LEAVES))('shows the next run nothing of %s', async (_, leaves) => {
    const script = await victim();
    await untilItStays(script);
    const before = await told(script, leaves);
    expect(before).toMatchObject({ status: 'succeeded', error: null });
    expect(before.log).toEqual([]);
    for (let round = 0; round < 2; round++) {
      const { output, log, files, status, error } = await told(script, LOOK);
      expect({ status, error, log, files }).toEqual({ status: 'succeeded', error: null, log: [], files: [] });
      expect(output.found).toMatchObject(NOTHING);
    }
  });

  it('answers once: what a run has not answered is no answer, and no other run’s', async () => {
    const script = await victim();
    await untilItStays(script);
    const early = await told(
      script,
      'mine.append(socket.socket(socket.AF_UNIX))\nmine[-1].connect("\\0door")\ntime.sleep(99)',
    );
    expect(early).toMatchObject({ status: 'failed', output: null });
    expect((await told(script, LOOK)).output.found).toMatchObject(NOTHING);
  });

  it('cannot be looked into, stopped or ended by another version’s, environment’s or workspace’s', async () => {
    const script = await victim();
    const mark = 'import builtins\nbuiltins.mark = True\nfound = count';
    await expect.poll(async () => (await told(script, mark)).output.found).toBeGreaterThan(1);
    const look =
      'found = []\nfor p in os.listdir("/proc"):\n    if p.isdigit():\n        try: found.append(open(f"/proc/{p}/cmdline").read())\n        except OSError: pass';
    const from = await someone();
    for (const [other, by] of [
      [await victim({ env: [] }), api],
      [await victim({}, from), from],
    ] as const) {
      await told(
        other,
        'for p in range(2, 99999):\n    try: p != os.getpid() and os.kill(p, signal.SIGKILL)\n    except OSError: pass',
        by,
      );
      const { found } = (await told(other, look, by)).output;
      expect((found as string[]).filter((words) => words.includes('main.py'))).toHaveLength(1);
    }
    // Others may serve a run while it is made ready for the next one.
    await expect
      .poll(
        async () => (await told(script, 'import builtins\nfound = hasattr(builtins, "mark")')).output.found,
      )
      .toBe(true);
  });

  it('does not take the next run’s time, and ends with its own', async () => {
    const script = await victim({ timeout: 10 });
    await untilItStays(script);
    const stubborn = 'signal.signal(signal.SIGTERM, signal.SIG_IGN)\nfor _ in range(99): time.sleep(1)';
    expect(await told(script, stubborn)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('timed out after 10 s'),
    });
    expect(await told(script, 'time.sleep(1)')).toMatchObject({ status: 'succeeded' });
  });

  it('has no more memory than one run, however many it serves', async () => {
    const script = await victim({ resources: { memory: 128 } });
    await untilItStays(script);
    const grow = 'mine.append(bytearray(os.urandom(1 << 20)) * 40)\nfound = len(mine)';
    // More than one may serve it, and each grows.
    await expect.poll(async () => (await told(script, grow)).status).toBe('failed');
    expect(await told(script, '')).toMatchObject({ status: 'succeeded' });
  });
});
