import { afterEach, describe, expect, it } from 'vitest';

import { daemonOf, DEAF } from '../../libs/attacks/index.js';
import { finished, runUntil } from '../support/scripts.js';
import {
  anAttacker,
  commandLine,
  countNamed,
  eventually,
  newMarker,
  processesWith,
} from './support/attack.js';

const attacker = anAttacker();
const background: string[] = [];

/** Starts a long run and does not wait for it. Its processes carry the marker in their command lines. */
async function inBackground(code: string, marker: string): Promise<void> {
  const script = await attacker.script(code, { command: `python3 main.py ${marker}`, timeout: 120 });
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
    const daemon = daemonOf(marker, 1000);
    await inBackground(`${daemon}\ntime.sleep(60)`, newMarker());
    // It is found while its run goes on, so that finding nothing afterwards means something.
    await eventually(() => processesWith(`${marker} 1000`).length === 1);
    await cancelAll();
    expect(processesWith(marker)).toEqual([]);
    const end = await attacker.attempt(`${daemon}\nprint("left it behind")`);
    expect(end).toMatchObject({ status: 'succeeded', output: 'left it behind' });
    expect(processesWith(marker)).toEqual([]);
  });

  it('ignoring SIGTERM, or having stopped oneself, does not save from the time-out', async () => {
    const markers = [newMarker(), newMarker()] as const;
    const runs = await Promise.all([
      attacker.attempt(
        `${DEAF}
while True: time.sleep(1)`,
        { timeout: 5, command: `python3 main.py ${markers[0]}` },
      ),
      attacker.attempt(
        `
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
os.fork()
os.kill(os.getpid(), signal.SIGSTOP)
`,
        { timeout: 5, command: `python3 main.py ${markers[1]}` },
      ),
    ]);
    for (const run of runs) {
      expect(run).toMatchObject({ status: 'failed', error: 'timed out after 5 s', output: null });
      expect(run.durationMs).toBeGreaterThan(9500);
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
