import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';

import { type BoxSpec, DEFAULT_LIMITS } from './box.js';
import { kindOf } from './interpreter-kind.js';
import { keptWish } from './kept.js';
import { finish } from './test/in-box.js';
import {
  called,
  callSpec,
  endWithEachTest,
  folder,
  type Language,
  LANGUAGES,
  open,
  ready,
  source,
} from './test/kept.js';
import { ownLaunchers } from './test/own-launchers.js';
import { processesThatStay } from './test/processes-that-stay.js';
import { network, serve } from './test/served.js';

/** Says how often it was called, and does what its inputs say. */
const COUNT = {
  node: source(
    'node',
    `count += 1;
console.log(\`run \${run.id} \${process.env.RUN_ID}\`);
if (inputs.ends === 'throws') throw new Error('as it was told');
if (inputs.ends === 'exits') process.exit(3);
if (inputs.ends === 'hangs') await new Promise((done) => setTimeout(done, 60_000));
if (inputs.ends === 'fills') { const all = []; for (;;) all.push(Buffer.alloc(16 << 20, 1)); }
if (inputs.ends === 'no JSON') return () => 1;
return count;`,
    'let count = 0;',
  ),
  python: source(
    'python',
    `global count
count += 1
print("run", run.id, os.environ["RUN_ID"])
if inputs.get("ends") == "throws": raise ValueError("as it was told")
if inputs.get("ends") == "exits": sys.exit(3)
if inputs.get("ends") == "hangs": time.sleep(60)
if inputs.get("ends") == "fills": all = [bytearray(b"x" * (16 << 20)) for _ in range(99)]
if inputs.get("ends") == "no JSON": return {1, 2}
return count`,
    'import os, sys, time\ncount = 0',
  ),
};

/** Until there is a file of that name. */
const WAITS = {
  node: "const { existsSync } = await import('node:fs');\nwhile (inputs.waits && !existsSync(inputs.waits)) await new Promise((done) => setTimeout(done, 5));",
  python:
    'import os, time\nwhile "waits" in inputs and not os.path.exists(inputs["waits"]): time.sleep(0.005)',
};

const HOLDS = {
  node: 'globalThis.held = Buffer.alloc(40 << 20, 1);',
  python: 'held = b"x" * (40 << 20)',
};

/** Beyond what is left beside one that waits. */
const GROWS = {
  node: 'if (inputs.grows) globalThis.kept = Buffer.alloc(80 << 20, 1);',
  python: 'if inputs.get("grows"): globals()["kept"] = b"x" * (80 << 20)',
};

const keep = (name: string, given: Partial<NonNullable<BoxSpec['keep']>> = {}): BoxSpec['keep'] => ({
  name,
  owner: 'someone',
  idleMs: 60_000,
  runs: 1000,
  own: ['RUN_ID'],
  ...given,
});

describe.each(LANGUAGES)('a process of %s that stays', (language) => {
  endWithEachTest();

  const started = async (options: Parameters<typeof open>[0] = {}, wishes: object = {}) => {
    const box = await open(options);
    const app = folder(COUNT[language]);
    const run = (inputs: object = {}, more: object = {}) =>
      called(box, language, app, inputs, { ...wishes, ...more });
    await ready(box, () => run());
    return { box, app, run };
  };

  it('serves one run after another, each with what is its own', async () => {
    const { box, run } = await started();
    for (let n = 1; n < 8; n++) {
      const { kept, code, stdout, stderr, startedAhead, peakMemoryBytes } = await run();
      expect({ reason: box.keptState!.reason, kept, code, stdout, startedAhead }).toEqual({
        reason: null,
        kept: true,
        code: 0,
        stdout: String(n),
        startedAhead: true,
      });
      const [, told, variable] = /^run (run-\d+) (run-\d+)\n$/.exec(stderr) ?? [];
      expect([told, variable]).toEqual([variable, expect.any(String)]);
      expect(peakMemoryBytes ?? 1).toBeGreaterThan(0);
    }
    expect(box.keptState).toMatchObject({ made: 1, templates: 1, refused: 0 });
  });

  it('is tried again soon where one could not be made', async () => {
    const box = await open();
    const app = folder(COUNT[language]);
    const run = () => called(box, language, app);
    while (box.keptState!.refused === 0) {
      // It may have been ready before it was killed.
      if (box.keptState!.making === 0) await run().catch(() => undefined);
      const launcher = ownLaunchers().at(-1);
      if (launcher) process.kill(launcher, 'SIGKILL');
      await sleep(1);
    }
    // A run may get the place of one that has been killed just now.
    await vi.waitFor(async () => expect((await run()).kept).toBe(true), { timeout: 60_000 });
  });

  it.each([
    ['throws', { code: 1, stdout: '' }],
    ['exits', { code: 3, stdout: '' }],
    ['no JSON', { code: 1, stdout: '' }],
    ['hangs', { timedOut: true, signal: 'SIGTERM', stdout: '' }],
  ])('ends with a run that %s, which ends as ever', async (ends, outcome) => {
    const { box, run } = await started();
    expect(await run()).toMatchObject({ kept: true, stdout: '1' });
    expect(await run({ ends }, { timeoutMs: ends === 'hangs' ? 300 : 20_000, graceMs: 3000 })).toMatchObject({
      kept: true,
      ...outcome,
    });
    await vi.waitUntil(() => box.keptState!.templates === 0, { timeout: 60_000 });
    expect(await run()).toMatchObject({ kept: false, stdout: '1' });
  });

  it('ends with a run that takes more memory than it may', async () => {
    const { run } = await started({}, { limits: { memoryBytes: 200 << 20 } });
    expect(await run()).toMatchObject({ kept: true, stdout: '1' });
    expect(await run({ ends: 'fills' })).toMatchObject({ kept: true, outOfMemory: true, stdout: '' });
    expect(await run()).toMatchObject({ stdout: '1' });
  });

  it('ends with a run that is cancelled, and with its worker', async () => {
    const { box, app, run } = await started();
    await run();
    const cancelled = box.run(callSpec(language, app, { ends: 'hangs' }));
    const end = finish(cancelled);
    await cancelled.started;
    cancelled.terminate();
    expect(await end).toMatchObject({ kept: true, terminated: true, timedOut: false, stdout: '' });
    await cancelled.dispose();
    await ready(box, () => run());
    await run();
    expect(processesThatStay()).not.toEqual([]);
    await box.close();
    await expect.poll(processesThatStay).toEqual([]);
  });

  it('serves only runs that agree with the first one', async () => {
    const { box, app, run } = await started({ kept: { most: 20 } }, { env: { TOKEN: 'one' } });
    expect(await run()).toMatchObject({ kept: true, stdout: '1' });
    for (const other of [
      { env: { TOKEN: 'two' } },
      { env: { TOKEN: 'one', MORE: 'x' } },
      { env: {} },
      { keep: keep('other name') },
      { limits: { memoryBytes: 300 << 20 } },
    ]) {
      expect(await run({}, other)).toMatchObject({ kept: false, stdout: '1' });
    }
    expect(await run()).toMatchObject({ kept: true, stdout: '2' });
    const withNetwork = box.run({
      ...callSpec(language, app, {}, { env: { TOKEN: 'one' } }),
      network: network(),
    });
    const [end] = await Promise.all([finish(withNetwork), serve(withNetwork)]);
    await withNetwork.dispose();
    expect(end).toMatchObject({ kept: false, stdout: '1' });
    const { keep: never, ...without } = callSpec(language, app, {}, { env: { TOKEN: 'one' } });
    expect(never).toBeDefined();
    const plain = box.run(without);
    expect(await finish(plain)).toMatchObject({ kept: false, stdout: '1' });
    await plain.dispose();
  });

  it('serves one run at a time; others start in another way, and more processes stay', async () => {
    const box = await open();
    const app = folder(source(language, WAITS[language]));
    const run = (inputs: object = {}) => called(box, language, app, inputs);
    await ready(box, () => run());
    for (let round = 0; box.keptState!.templates < 2; round++) {
      const first = run({ waits: `go-${round}` });
      expect(await run()).toMatchObject({ kept: false, code: 0 });
      await vi.waitUntil(() => box.keptState!.making === 0, { timeout: 60_000 });
      writeFileSync(join(app, `go-${round}`), '');
      expect(await first).toMatchObject({ kept: true, code: 0 });
    }
    const both = await Promise.all([run(), run()]);
    expect(both.map(({ kept }) => kept)).toEqual([true, true]);
  });

  it('ends after so many runs, and without a run for so long', { tags: 'slow' }, async () => {
    const { box, app, run } = await started({}, {});
    const few = { keep: keep(app, { runs: 2 }) };
    expect(await run({}, few)).toMatchObject({ kept: true, stdout: '1' });
    expect(box.keptState!.templates).toBe(1);
    await box.close();
    const short = await started({}, { keep: keep('short', { idleMs: 5_000, runs: 3 }) });
    for (const stdout of ['1', '2']) expect(await short.run()).toMatchObject({ kept: true, stdout });
    await ready(short.box, () => short.run());
    expect(await short.run()).toMatchObject({ kept: true, stdout: '1' });
    await vi.waitUntil(() => short.box.keptState!.templates === 0, { timeout: 60_000 });
    expect(await short.run()).toMatchObject({ kept: false, stdout: '1' });
  });

  it('gives way to one that was used later, where only so many may stay', async () => {
    const { box, run } = await started({ kept: { most: 1 } });
    expect(await run()).toMatchObject({ kept: true });
    await ready(box, () => run({}, { keep: keep('later') }));
    expect(await run({}, { keep: keep('later') })).toMatchObject({ kept: true });
    expect(await run()).toMatchObject({ kept: false });
  });

  it('is not made for every run while there is no room for it', async () => {
    const box = await open({ kept: { most: 0 } });
    const app = folder(COUNT[language]);
    const began = Date.now();
    await ready(box, () => called(box, language, app));
    for (let n = 0; n < 20; n++) expect(await called(box, language, app)).toMatchObject({ kept: false });
    // Two seconds lie between two attempts.
    expect(box.keptState!.made).toBeLessThanOrEqual(1 + (Date.now() - began) / 2000);
  });

  it('is not left alone later because it had to give way to others', { tags: 'slow' }, async () => {
    const box = await open({ kept: { memoryBytes: 112 << 20 } });
    const waits = folder(source(language, WAITS[language], HOLDS[language]));
    const grows = folder(source(language, GROWS[language]));
    const stays = async (app: string): Promise<void> =>
      vi.waitFor(async () => expect((await called(box, language, app)).kept).toBe(true), 60_000);
    for (let round = 0; round < 12; round++) {
      await stays(waits);
      await stays(grows);
      const busy = called(box, language, waits, { waits: `go-${round}` });
      expect((await called(box, language, grows, { grows: true })).kept).toBe(true);
      writeFileSync(join(waits, `go-${round}`), '');
      expect(await busy).toMatchObject({ kept: true, code: 0 });
    }
  });

  it('may be killed, and its launcher, whenever: another run starts in another way', async () => {
    const { box, run } = await started();
    await run();
    const [idle = NaN] = processesThatStay();
    process.kill(idle, 'SIGKILL');
    await vi.waitUntil(() => box.keptState!.templates === 0, { timeout: 60_000 });
    await ready(box, async () => expect(await run()).toMatchObject({ kept: false, stdout: '1' }));
    expect(await run()).toMatchObject({ kept: true, stdout: '1' });
    const launcher = ownLaunchers().at(-1)!;
    process.kill(launcher, 'SIGKILL');
    await vi.waitUntil(() => box.keptState!.templates === 0, { timeout: 60_000 });
    await vi.waitUntil(() => processesThatStay().length === 0, { timeout: 60_000 });
    expect(await run()).toMatchObject({ kept: false, stdout: '1' });
  });

  it('is lost with its run where that is killed', async () => {
    const { box, app, run } = await started();
    await run();
    const hanging = box.run(callSpec(language, app, { ends: 'hangs' }));
    const end = finish(hanging).then((exit) => exit.signal);
    await hanging.started;
    const [busy = NaN] = processesThatStay();
    process.kill(busy, 'SIGKILL');
    expect(await end).toBe('SIGKILL');
    await hanging.dispose();
    expect(await run()).toMatchObject({ stdout: '1', kept: false });
  });

  it('takes no processor time while it waits', async () => {
    const { run } = await started();
    await run();
    const [idle = NaN] = processesThatStay();
    const time = (): string => readFileSync(`/proc/${idle}/stat`, 'utf8').split(' ').slice(13, 15).join(' ');
    const states = readdirSync(`/proc/${idle}/task`).map(
      (thread) => /^State:\s+(\S)/m.exec(readFileSync(`/proc/${idle}/task/${thread}/status`, 'utf8'))![1],
    );
    expect(new Set(states)).toEqual(new Set(['t']));
    const before = time();
    process.kill(idle, 'SIGCONT');
    await sleep(200);
    expect(time()).toBe(before);
  });
});

describe('what is remembered of processes that stay', () => {
  it('has neither the values of their variables nor their length, and tells them apart', () => {
    const kind = kindOf(['node', 'main.mjs'], {}, ['node'])!;
    const keyOf = (TOKEN: string): string => {
      const spec = callSpec('node', '/app', {}, { env: { TOKEN } });
      return keptWish(spec, kind, spec.env, { limits: DEFAULT_LIMITS, writesToDisk: false })!.kind.key;
    };
    const keys = ['a', 'b', 'of a secret'.repeat(50_000)].map(keyOf);
    expect(new Set(keys).size).toBe(3);
    expect(keyOf('a')).toBe(keys[0]);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('a process of Node that stays', () => {
  endWithEachTest();

  it('ends as its run says, as one that does not stay', async () => {
    const box = await open();
    const app = folder(source('node', 'process.exitCode = inputs.code;\nreturn 1;'));
    await ready(box, () => called(box, 'node', app));
    expect(await called(box, 'node', app)).toMatchObject({ kept: true, code: 0, stdout: '1' });
    expect(await called(box, 'node', app, { code: 3 })).toMatchObject({ kept: true, code: 3, stdout: '1' });
    expect(await called(box, 'node', app, { code: 3 })).toMatchObject({ kept: false, code: 3, stdout: '1' });
  });
});

/** Asks the host, over a connection that it keeps. */
const ASKS: Record<Language, Record<string, string>> = {
  node: source(
    'node',
    'count += 1;\nreturn [count, await (await fetch("https://api.example.com/x")).text()];',
    'let count = 0;',
  ),
  python: source(
    'python',
    `global count
count += 1
try:
    connection.request("GET", "/x")
    text = connection.getresponse().read()
except (OSError, http.client.HTTPException):
    connection.close()
    connection.request("GET", "/x")
    text = connection.getresponse().read()
return [count, text.decode()]`,
    'import http.client\ncount = 0\nconnection = http.client.HTTPSConnection("api.example.com")',
  ),
};

describe.each(LANGUAGES)('the network of a process of %s that stays', (language) => {
  endWithEachTest();

  it('is its run’s, also where it keeps its connections', async () => {
    const box = await open();
    const app = folder(ASKS[language]);
    const run = async (greeting: string) => {
      const asking = box.run({ ...callSpec(language, app), network: network() });
      const [end] = await Promise.all([finish(asking), serve(asking, greeting, 'keep-alive')]);
      await asking.dispose();
      return end;
    };
    await ready(box, () => run('first'));
    for (let n = 1; n < 5; n++) {
      const { kept, stdout, stderr } = await run(`greeting ${n}`);
      expect({ reason: box.keptState!.reason, kept, stderr, stdout: JSON.parse(stdout || 'null') }).toEqual({
        reason: null,
        kept: true,
        stderr: '',
        stdout: [n, `greeting ${n} api.example.com/x 443\n`],
      });
    }
  });
});
