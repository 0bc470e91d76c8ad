import { afterEach, describe, expect, it } from 'vitest';

import { finished, runUntil } from '../support/scripts.js';
import {
  anAttacker,
  commandLine,
  countNamed,
  eventually,
  limitsAreReduced,
  newMarker,
  processesWith,
} from './support/attack.js';

const reduced = await limitsAreReduced();
const attacker = anAttacker();

const background: string[] = [];

/** Starts a long run and does not wait for it. Its processes carry the marker in their command lines. */
async function inBackground(code: string, marker: string): Promise<void> {
  const script = await attacker.script(code, { command: `python3 main.py ${marker}`, timeout: 31 });
  const { status, body, text } = await attacker.api.post(`/v1/scripts/${script.slug}/runs`, {});
  expect(status, text).toBe(202);
  background.push(body.id);
}

/** Ends what was started in the background, also when a test fails before it could. */
async function cancelAll(): Promise<void> {
  for (const id of background.splice(0)) {
    await attacker.api.post(`/v1/runs/${id}/cancel`);
    expect(await runUntil(attacker.api, id, finished)).toMatchObject({ status: 'cancelled' });
  }
}
afterEach(cancelAll);

/** The sandbox's own process beside the script's repeats its command. */
const scripts = (marker: string): number =>
  processesWith(marker).filter((pid) => commandLine(pid).startsWith('python3 ')).length;

describe('processes', () => {
  it('a fork bomb stops at the limit, leaves room for others, and is gone in the end', async () => {
    const name = newMarker().slice(-15);
    await inBackground(
      `
open("/proc/self/comm", "w").write("${name}")
while True:
    try: os.fork()
    except OSError: pass
`,
      newMarker(),
    );
    await eventually(() => countNamed(name) > 50);
    expect(await attacker.findings('print("beside it")')).toBe('beside it');
    expect(countNamed(name)).toBeLessThanOrEqual(128);
    await cancelAll();
    expect(countNamed(name)).toBe(0);
  });

  it('threads are counted, too', async () => {
    const started = await attacker.findings(`
import threading
wait, n = threading.Event(), 0
try:
    while n < 1000:
        threading.Thread(target=wait.wait, daemon=True).start(); n += 1
except RuntimeError: pass
print(n)
wait.set()
`);
    expect(started).toBeGreaterThan(50);
    expect(started).toBeLessThan(128);
  });

  it('a daemon (double fork, setsid, closed descriptors) does not outlive its run', async () => {
    const marker = newMarker();
    const daemon = `
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        signal.signal(signal.SIGHUP, signal.SIG_IGN); signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.closerange(0, 3)
        os.execv("/usr/bin/sleep", ["${marker}", "1000"])
    os._exit(0)
os.wait()
`;
    await inBackground(`${daemon}\ntime.sleep(60)`, newMarker());
    // It is found while its run goes on, so that finding nothing afterwards means something.
    await eventually(() => processesWith(`${marker} 1000`).length === 1);
    await cancelAll();
    expect(processesWith(marker)).toEqual([]);
    const end = await attacker.attempt(`${daemon}\nprint("left it behind")`);
    expect(end).toMatchObject({ status: 'succeeded', output: 'left it behind' });
    expect(end.durationMs).toBeLessThan(5000);
    expect(processesWith(marker)).toEqual([]);
  });

  it('ignoring SIGTERM, or having stopped oneself, does not save from the time-out', async () => {
    const markers = [newMarker(), newMarker()] as const;
    const runs = await Promise.all([
      attacker.attempt(
        `
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
for _ in range(5):
    if os.fork() == 0: break
while True: time.sleep(1)
`,
        { timeout: 1, command: `python3 main.py ${markers[0]}` },
      ),
      attacker.attempt(
        `
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
os.fork()
os.kill(os.getpid(), signal.SIGSTOP)
`,
        { timeout: 1, command: `python3 main.py ${markers[1]}` },
      ),
    ]);
    for (const run of runs) {
      expect(run).toMatchObject({ status: 'failed', error: 'timed out after 1 s', output: null });
      expect(run.durationMs).toBeGreaterThan(5500);
      expect(run.durationMs).toBeLessThan(12_000);
    }
    for (const marker of markers) expect(processesWith(marker)).toEqual([]);
  });
});

describe('processor', () => {
  it('a spin of many processes is ended by the time-out, and others go on meanwhile', async () => {
    const marker = newMarker();
    await inBackground(
      `
for _ in range(20):
    if os.fork() == 0: break
while True: pass
`,
      marker,
    );
    await eventually(() => scripts(marker) === 21);
    expect(await attacker.findings('print("beside it")')).toBe('beside it');
    expect((await attacker.api.get('/health/live')).status).toBe(200);
    await cancelAll();
    const spin = await attacker.attempt('while True: pass', { timeout: 1 });
    expect(spin).toMatchObject({ status: 'failed', error: 'timed out after 1 s' });
    expect(spin.durationMs).toBeLessThan(5000);
    expect(processesWith(marker)).toEqual([]);
  });

  it('neither real-time priority nor a better than the usual one can be had', async () => {
    const tried = await attacker.findings(`
libc = ctypes.CDLL(None, use_errno=True)
def ioprio(value):
    if libc.syscall({"x86_64": 251, "aarch64": 30}[os.uname().machine], 1, 0, value) < 0:
        raise OSError(ctypes.get_errno(), "ioprio_set")
def raising(limit, value):
    try: resource.setrlimit(limit, (value, value)); return "done"
    except ValueError: return "EPERM"  # which is how Python says it
print(json.dumps({
    "fifo": refusal(os.sched_setscheduler, 0, os.SCHED_FIFO, os.sched_param(1)),
    "round robin": refusal(os.sched_setscheduler, 0, os.SCHED_RR, os.sched_param(1)),
    "nice": refusal(os.nice, -1),
    "setpriority": refusal(os.setpriority, os.PRIO_PROCESS, 0, -5),
    "real-time disk": refusal(ioprio, 1 << 13),
    "limit of niceness": raising(13, 40),
    "limit of real-time": raising(14, 99),
}))
`);
    for (const [way, answer] of Object.entries(tried)) {
      expect([way, answer]).toEqual([way, expect.stringMatching(/^E(PERM|ACCES)$/)]);
    }
  });
});

describe('memory', () => {
  const ways = {
    heap: 'kept = []\nfor _ in range(1024): kept.append(b"x" * (1 << 20))',
    'a shared mapping': `
import mmap
m = mmap.mmap(-1, 1 << 30)
for at in range(0, 1 << 30, 4096): m[at] = 1
`,
    memfd: 'f = os.memfd_create("m")\nfor _ in range(1024): os.write(f, b"x" * (1 << 20))',
    'System V segments': `
libc = ctypes.CDLL(None, use_errno=True); libc.shmat.restype = ctypes.c_void_p
for _ in range(32):
    segment = libc.shmget(0, 1 << 25, 0o1600)
    if segment < 0: raise OSError(ctypes.get_errno(), "shmget")
    ctypes.memset(libc.shmat(segment, None, 0), 1, 1 << 25)
`,
  };

  it.each(Object.entries(ways))('taken as %s ends at the limit', async (_, code) => {
    const end = await attacker.attempt(`${code}\nprint("all taken")`);
    expect(end).toMatchObject({ status: 'failed', output: null });
    if (reduced) expect(end.error).toMatch(/MemoryError|PermissionError|OSError/);
    else expect(end.error).toBe('ran out of memory (512 MiB)');
  });

  it.runIf(!reduced)('taken by many processes and by files in memory is added up', async () => {
    const end = await attacker.attempt(`
with open("/tmp/f", "wb") as f: f.write(b"x" * (200 << 20))
for _ in range(4):
    if os.fork() == 0:
        kept = b"x" * (100 << 20); time.sleep(20); os._exit(0)
for _ in range(4):
    _, status = os.wait()
    if os.WIFSIGNALED(status): sys.exit("a child was killed by %d" % os.WTERMSIG(status))
print("all taken")
`);
    expect(end).toMatchObject({ status: 'failed', error: 'ran out of memory (512 MiB)', output: null });
  });

  it('cannot be kept by pointing the kernel at somebody else', async () => {
    const end = await attacker.attempt(`
for pid, value in (("self", "-1000"), ("self", "0"), ("1", "1000")):
    try: file = os.open("/proc/%s/oom_score_adj" % pid, os.O_WRONLY); os.write(file, value.encode())
    except OSError: pass
${ways.heap}
print("all taken")
`);
    expect(end).toMatchObject({ status: 'failed', output: null });
    if (!reduced) expect(end.error).toBe('ran out of memory (512 MiB)');
  });

  it('cannot be locked in place', async () => {
    const answer = await attacker.findings(`
import mmap
libc = ctypes.CDLL(None, use_errno=True)
m = mmap.mmap(-1, 1 << 24, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
def lock():
    if libc.mlock(ctypes.byref(ctypes.c_char.from_buffer(m)), ctypes.c_size_t(1 << 24)) < 0:
        raise OSError(ctypes.get_errno(), "mlock")
print(refusal(lock))
`);
    expect(answer).toMatch(/^E(NOMEM|PERM|AGAIN)$/);
  });
});

describe('space', () => {
  const FILL = `
n = 0
try:
    with open(inputs()["path"] + "/fill", "wb", buffering=0) as f:
        while n < 400:
            f.write(b"x" * (1 << 20)); n += 1
    print(json.dumps(["no end", n]))
except OSError as error:
    print(json.dumps([errno.errorcode[error.errno], n]))
finally:
    if os.path.exists(inputs()["path"] + "/fill"): os.unlink(inputs()["path"] + "/fill")
`;

  it.each([
    ['/tmp', 'ENOSPC', 256],
    ['/outputs', 'ENOSPC', 101],
    ['/dev/shm', 'ENOSPC', 64],
    ['/dev', 'EROFS', 0],
    ['/app', 'EROFS', 0],
    ['/inputs', 'EROFS', 0],
    ['', 'EROFS', 0],
  ])('in %s ends', async (path, error, mebibytes) => {
    expect(await attacker.findings(FILL, {}, { path })).toEqual([error, mebibytes]);
  });

  it.each([
    ['/tmp', 100_000],
    ['/outputs', 10_000],
    ['/dev/shm', 20_000],
  ])('for inodes in %s ends long before a million', async (path, most) => {
    const [error, count] = await attacker.findings(
      `
base, n = inputs()["path"], 0
os.mkdir(base + "/many"); os.chdir(base + "/many")
try:
    while n < 1000000:
        os.mkdir("d%d" % n) if n % 3 == 0 else os.symlink("x", "l%d" % n) if n % 3 == 1 else os.close(os.open("f%d" % n, os.O_CREAT))
        n += 1
    reason = "no end"
except OSError as error: reason = errno.errorcode[error.errno]
print(json.dumps([reason, n]))
subprocess.run(["rm", "-rf", base + "/many"])
`,
      {},
      { path },
    );
    expect(error).toMatch(/^(ENOSPC|ENOMEM)$/);
    expect(count).toBeGreaterThan(100);
    expect(count).toBeLessThanOrEqual(most);
  });

  it('for names in /outputs ends in a failure that says so, not in a worker that is busy for ever', async () => {
    const end = await attacker.attempt(`
os.chdir("/outputs")
try:
    for n in range(1000000): open("%d" % n, "w").close()
except OSError: pass
`);
    expect(end).toMatchObject({
      status: 'failed',
      error: 'wrote more than 100 files to /outputs',
      files: [],
    });
  });

  it('for directories in /outputs is looked through quickly', async () => {
    const end = await attacker.attempt(`
os.chdir("/outputs")
try:
    for n in range(1000000): os.mkdir("%d" % n)
except OSError: pass
`);
    expect(end).toMatchObject({ status: 'succeeded', files: [] });
  });
});

describe('descriptors', () => {
  it('10,000 open files are 1,024 at most', async () => {
    const found = await attacker.findings(`
n = 0
try:
    while n < 10000: os.open("/app/main.py", os.O_RDONLY); n += 1
    reason = "no end"
except OSError as error: reason = errno.errorcode[error.errno]
try: resource.setrlimit(resource.RLIMIT_NOFILE, (10000, 10000)); raised = "done"
except (OSError, ValueError): raised = "refused"
print(json.dumps([reason, n, raised]))
`);
    expect(found).toEqual(['EMFILE', expect.any(Number), 'refused']);
    expect(found[1]).toBeLessThan(1024);
    expect(found[1]).toBeGreaterThan(1000);
  });

  it('10,000 sockets in flight between processes are bounded, too', async () => {
    const found = await attacker.findings(`
a, b = socket.socketpair()
n = 0
a.setblocking(False)
try:
    while n < 10000:
        pair = socket.socketpair()
        socket.send_fds(a, [b"x"], [pair[0].fileno(), pair[1].fileno()]); n += 2
        pair[0].close(); pair[1].close()
    reason = "no end"
except OSError as error: reason = errno.errorcode[error.errno]
print(json.dumps([reason, n]))
`);
    expect(found[0]).toMatch(/^E(TOOMANYREFS|AGAIN|MFILE)$/);
    expect(found[1]).toBeLessThan(2000);
  });
});

describe('core dumps', () => {
  it('are off, also for who asks for them', async () => {
    const found = await attacker.findings(`
try: resource.setrlimit(resource.RLIMIT_CORE, (-1, -1)); raised = "done"
except (OSError, ValueError): raised = "refused"
os.chdir("/tmp")
if os.fork() == 0: os.abort()
status = os.wait()[1]
print(json.dumps([resource.getrlimit(resource.RLIMIT_CORE), raised, os.WTERMSIG(status), os.listdir("/tmp")]))
`);
    expect(found).toEqual([[0, 0], 'refused', 6, []]);
  });

  it('of the script itself leave nothing but the word of its end', async () => {
    const end = await attacker.attempt('os.chdir("/outputs"); os.abort()');
    expect(end).toMatchObject({ status: 'failed', files: [] });
    expect(end.error).toMatch(/^killed by SIGABRT/);
  });
});
