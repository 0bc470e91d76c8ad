import { describe, expect, it, vi } from 'vitest';

import { runToEnd } from './test/in-box.js';
import { about } from './test/processes-that-stay.js';
import { network, runServed } from './test/served.js';
import { settled } from './test/settled.js';
import { app, endWithEachTest, open, processesOfTemplates, RUN, spec, TEMPLATE } from './test/templates.js';

const MiB = 1024 * 1024;

describe('a template, between its runs and in them', () => {
  endWithEachTest();

  it.each([
    ['it', TEMPLATE, false],
    ['what it has forked', RUN, false],
    ['it, with a network,', TEMPLATE, true],
  ])('takes no run with it, when %s is killed as one is about to begin', async (_, inBox, hasNetwork) => {
    const box = await open();
    const path = app('import json\nprint("done")\n');
    const run = () =>
      hasNetwork ? runServed(box, { ...spec(path), network: network() }, '') : runToEnd(box, spec(path));
    await settled(box, run);
    expect(await run()).toMatchObject({ forked: true, stdout: 'done\n' });
    await vi.waitUntil(() => processesOfTemplates(RUN).length === 1, { timeout: 60_000 });
    process.kill(processesOfTemplates(inBox)[0]!, 'SIGKILL');
    expect(await run()).toMatchObject({ forked: false, code: 0, stdout: 'done\n', stderr: '' });
  });

  it('is ended before any run where memory is short, and in a run as any other', async () => {
    const box = await open();
    const path = app('import os\nprint(open("/proc/self/oom_score_adj").read(), end="")\n');
    await settled(box, () => runToEnd(box, spec(path)));
    const scores = (): string[] =>
      [TEMPLATE, RUN].flatMap(processesOfTemplates).map((id) => about(id, 'oom_score_adj').trim());
    for (let round = 0; round < 2; round++) {
      await vi.waitUntil(() => scores().join() === '1000,1000', { timeout: 60_000 });
      expect(await runToEnd(box, spec(path))).toMatchObject({ forked: true, stdout: '500\n' });
    }
  });

  it('has its own time and memory, and a run has what itself has taken, with its processes', async () => {
    const box = await open();
    const path = app(
      `
import module
import os, time
def work():
    kept = bytearray(40 << 20)
    while time.process_time() < 0.2: pass
    os._exit(0)
if os.fork() == 0: work()
os.wait()
if os.fork() == 0:
    if os.fork() == 0: work()
    os._exit(0)
os.wait()
while len([name for name in os.listdir("/proc") if name.isdigit()]) > 4: time.sleep(0.01)
`,
      {
        '.deps/module.py': 'import os\nkept = bytearray(100 << 20)\nwhile sum(os.times()[:2]) < 2: pass\n',
      },
    );
    await settled(box, () => runToEnd(box, spec(path)));
    for (let round = 0; round < 2; round++) {
      const { forked, cpuMs, peakMemoryBytes } = await runToEnd(box, spec(path));
      expect(forked).toBe(true);
      expect(cpuMs).toBeGreaterThan(350);
      expect(cpuMs).toBeLessThan(1900);
      if (peakMemoryBytes === null) continue; // not every kernel says
      expect(peakMemoryBytes).toBeGreaterThan(35 * MiB);
      expect(peakMemoryBytes).toBeLessThan(95 * MiB);
    }
  });
});
