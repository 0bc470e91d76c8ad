import { describe, expect, it } from 'vitest';

import type { Json } from '../../libs/testing/index.js';
import { expectAnswersDuring } from './support/answers-during.js';
import { anAttacker } from './support/attack.js';

const attacker = anAttacker();

/** Runs code that writes without measure, to its end. */
async function flood(code: string): Promise<Json> {
  const running = attacker.run(await attacker.script(code, { timeout: 120 }));
  await expectAnswersDuring(running, () => attacker.api.get('/v1/workspace'));
  return running;
}

/** Page by page, as clients read it. */
async function wholeLog(id: string): Promise<string[]> {
  const lines: string[] = [];
  for (let after = 0; ;) {
    const { body } = await attacker.api.get(`/v1/runs/${id}/log?after=${after}`);
    lines.push(...body.lines);
    if (body.lines.length < 1000) return lines;
    after = body.next;
  }
}

const DROPPED = /^\[([\d,]+) lines were dropped here: /;
const keptIn = (lines: string[]): number => lines.filter((line) => !DROPPED.test(line)).length;
const droppedIn = (lines: string[]): number =>
  lines.reduce((sum, line) => sum + Number(DROPPED.exec(line)?.[1]?.replaceAll(',', '') ?? 0), 0);

describe('the log', () => {
  it('takes 4 MiB of a flood of 200 MB, keeps what is said last, and says how many lines were dropped', async () => {
    const done = await flood(`
line = (b"x" * 4000 + b"\\n") * 250
for _ in range(200): os.write(2, line)
raise ValueError("the reason")
`);
    expect(done).toMatchObject({ status: 'failed', error: 'exit code 1: ValueError: the reason' });
    const lines = await wholeLog(done.id);
    expect(lines.length).toBeLessThan(1100);
    expect(lines.at(-1)).toBe('ValueError: the reason');
    expect(droppedIn(lines) + keptIn(lines)).toBe(done.logLines);
  });

  it('takes 10,000 of three million lines', async () => {
    const done = await flood(`
for _ in range(20): os.write(2, b"\\n" * 100000)
for _ in range(20): os.write(1, b"y\\n" * 50000)
`);
    expect(done).toMatchObject({ status: 'failed' });
    const lines = await wholeLog(done.id);
    expect(keptIn(lines)).toBe(10_000);
    expect(droppedIn(lines) + 10_000).toBe(done.logLines);
  });

  it('takes one line of 100 MB as one line, cut', async () => {
    const done = await flood('for _ in range(100): os.write(2, b"x" * 1000000)');
    expect(done).toMatchObject({ status: 'succeeded', logLines: 1 });
    const [line] = await attacker.log(done.id);
    expect(Buffer.byteLength(line!)).toBe(4096);
    expect(line).toMatch(/\[cut: the line has 100000000 bytes, 4096 is the most\]$/);
  });

  it('takes control characters and bytes that are no text, and stores none that could not be', async () => {
    const { id } = await attacker.attempt(`
os.write(2, bytes(range(256)) + b"\\n\\x1b[2J\\x1b]0;title\\x07\\n\\xed\\xa0\\x80\\xf0\\x9f\\n" + b"\\0" * 100)
`);
    expect((await attacker.log(id)).join('\n')).not.toMatch(/\0|\p{Surrogate}/u);
  });
});

describe('progress', () => {
  it('takes a flood of reports and keeps the last', async () => {
    const done = await flood(`
for n in range(100): os.write(2, (b"::progress 0.%02d " % n + b"x" * 80 + b"\\n") * 10000)
os.write(2, b"::progress 0.75 the last\\n")
`);
    expect(done).toMatchObject({
      status: 'succeeded',
      progress: 0.75,
      progressMessage: 'the last',
      logLines: 0,
    });
  });
});

describe('the output', () => {
  it.each([
    ['text', 'b"x" * 1000000'],
    ['what begins as JSON', 'b"[" * 1000000'],
    ['lines', 'b"a line\\n" * 140000'],
  ])('of 100 MB of %s is refused with the limit, never cut', async (_, chunk) => {
    const done = await flood(`for _ in range(100): os.write(1, ${chunk})`);
    expect(done).toMatchObject({ status: 'failed', output: null });
    expect(done.error).toMatch(/1 MiB/);
  });

  it('of a million levels of nesting is text or an error, not the end of the service', async () => {
    const end = await attacker.attempt('os.write(1, b"[" * 500000 + b"]" * 500000)');
    expect(['succeeded', 'failed']).toContain(end.status);
    expect(JSON.stringify(end.output)?.startsWith('[[') ?? false).toBe(false);
  });

  it('of a million members is stored or refused', async () => {
    const end = await attacker.attempt('print(json.dumps({"k%d" % n: n for n in range(60000)}))');
    expect(end).toMatchObject({ status: 'succeeded' });
    expect(Object.keys(end.output)).toHaveLength(60_000);
  });

  it('with keys that mean something to JavaScript changes no object but itself', async () => {
    const end = await attacker.attempt(
      `print('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}')`,
    );
    expect(end.status).toBe('succeeded');
    expect(Object.keys(end.output).sort()).toEqual(['__proto__', 'constructor']);
    expect((await attacker.api.get(`/v1/runs/${end.id}`)).body).not.toHaveProperty('polluted');
  });
});
