import { describe, expect, it, vi } from 'vitest';

import { finish } from './test/in-box.js';
import {
  callSpec,
  endWithEachTest,
  folder,
  type Language,
  LANGUAGES,
  open,
  ready,
  source,
} from './test/kept.js';
import { about, stoppedProcesses } from './test/processes-that-stay.js';
import { network, serve } from './test/served.js';

const COUNT = {
  node: source(
    'node',
    'count += 1; return [count, readFileSync("/proc/self/oom_score_adj", "utf8").trim()];',
    'import { readFileSync } from "node:fs";\nlet count = 0;',
  ),
  python: source(
    'python',
    'global count\ncount += 1\nreturn [count, open("/proc/self/oom_score_adj").read().strip()]',
    'count = 0',
  ),
};

/** A process that has had a run, and is stopped until its next one. */
async function stopped(language: Language, hasNetwork = false) {
  const box = await open();
  const app = folder(COUNT[language]);
  const run = async () => {
    const called = box.run({ ...callSpec(language, app), ...(hasNetwork && { network: network() }) });
    const [end] = await Promise.all([finish(called), serve(called)]);
    await called.dispose();
    return end;
  };
  await ready(box, run);
  await run();
  await vi.waitUntil(() => stoppedProcesses().length === 1, { timeout: 60_000 });
  return { box, run, id: stoppedProcesses()[0]! };
}

describe.each(LANGUAGES)('a process of %s that stays', (language) => {
  endWithEachTest();

  it.each([
    ['without', false],
    ['with', true],
  ])('is killed as a run %s network is about to begin, which begins elsewhere', async (_, hasNetwork) => {
    const { run, id } = await stopped(language, hasNetwork);
    process.kill(id, 'SIGKILL');
    const { code, stdout, kept, stderr } = await run();
    expect({ code, kept, stderr, first: JSON.parse(stdout)[0] }).toEqual({
      code: 0,
      kept: false,
      stderr: '',
      first: 1,
    });
  });

  it('is ended before any run where memory is short, and in a run as any other', async () => {
    const { run, id } = await stopped(language);
    const score = (): string => about(id, 'oom_score_adj').trim();
    for (let n = 2; n < 4; n++) {
      await vi.waitUntil(() => score() === '1000', { timeout: 60_000 });
      const { kept, stdout } = await run();
      expect([kept, JSON.parse(stdout)]).toEqual([true, [n, '500']]);
    }
  });
});
