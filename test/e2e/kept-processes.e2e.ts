import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { client, newWorkspace } from '../support/gatehouse.js';
import {
  archiveOf,
  finished,
  newVersion,
  publishedScript,
  run,
  runUntil,
  type TestScript,
} from '../support/scripts.js';

let workspace: TestWorkspace;
let api: Client;

beforeAll(async () => {
  workspace = await newWorkspace();
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
});

/** Counts its calls in memory, and does what its inputs say. */
const LANGUAGES = {
  node: {
    file: 'main.mjs',
    command: 'node main.mjs',
    source: `import { readdirSync, writeFileSync } from 'node:fs';
let count = 0;
export default async ({ ends, write }, run) => {
  count += 1;
  console.log(\`line of \${run.id}\`);
  if (ends === 'throws') throw new Error('as it was told');
  if (ends === 'hangs') await new Promise((done) => setTimeout(done, 60_000));
  const found = [...readdirSync('/outputs'), ...readdirSync('/tmp')];
  if (write) writeFileSync(\`\${run.outputs}/\${write}\`, write);
  const { TOKEN = null, GATEHOUSE_RUN_ID: id } = process.env;
  return { count, found, told: run.id, id, environment: run.environment, token: TOKEN && TOKEN.length };
};
`,
  },
  python: {
    file: 'main.py',
    command: 'python main.py',
    source: `import os, time
count = 0
def main(inputs, run):
    global count
    count += 1
    print("line of", run.id)
    if inputs.get("ends") == "throws": raise ValueError("as it was told")
    if inputs.get("ends") == "hangs": time.sleep(60)
    found = os.listdir("/outputs") + os.listdir("/tmp")
    if write := inputs.get("write"):
        with open(f"{run.outputs}/{write}", "w") as file: file.write(write)
    token = os.environ.get("TOKEN")
    return {"count": count, "found": found, "told": run.id, "id": os.environ["GATEHOUSE_RUN_ID"], "environment": run.environment, "token": token and len(token)}
`,
  },
};
type Language = keyof typeof LANGUAGES;
const EACH = Object.keys(LANGUAGES) as Language[];

const versionOf = (language: Language, fields: object = {}) => ({
  command: LANGUAGES[language].command,
  handler: true,
  keep: {},
  inputSchema: { type: 'object' },
  ...fields,
});

const kept = (language: Language, fields: object = {}, from = api): Promise<TestScript> => {
  const { file, source } = LANGUAGES[language];
  return publishedScript(from, { [file]: source }, versionOf(language, fields));
};

async function outcome(
  script: TestScript,
  inputs: Record<string, unknown> = {},
  { environment, from = api }: { environment?: string; from?: Client } = {},
): Promise<Json> {
  const headers: Record<string, string> = environment === undefined ? {} : { 'x-environment': environment };
  const { body, text } = await run(from, script, inputs, headers);
  expect(body.id, text).toBeDefined();
  return runUntil(from, body.id, finished);
}

/** Until one run finds what so many before it have left. Room is shared: a process may be ended meanwhile. */
async function untilItStays(
  script: TestScript,
  options: Parameters<typeof outcome>[2] = {},
  runs = 1,
): Promise<Json> {
  let last: Json;
  await expect
    .poll(async () => {
      last = await outcome(script, {}, options);
      expect(last.status, JSON.stringify(last)).toBe('succeeded');
      return last.output.count;
    })
    .toBeGreaterThan(runs);
  return last!;
}

describe.each(EACH)('a version whose process stays, of %s', (language) => {
  it('has no part in a plan, which neither finds nor leaves anything', async () => {
    const script = await kept(language);
    const { output: before } = await untilItStays(script);
    for (let count = 0; count < 2; count++) {
      const { body } = await api.post(`/v1/scripts/${script.slug}/runs`, { plan: true });
      const plan = await runUntil(api, body.id as string, finished);
      expect(plan).toMatchObject({ status: 'succeeded', plan: true, output: { count: 1 } });
    }
    await untilItStays(script, {}, before.count as number);
  });

  it('finds in memory what it has left there, and nothing else of the run before', async () => {
    const script = await kept(language);
    await untilItStays(script);
    for (const write of ['one', 'two', 'three']) {
      const body = await outcome(script, { write });
      const { id } = body;
      expect(body).toMatchObject({
        status: 'succeeded',
        output: { found: [], told: id, id },
        files: [{ name: write, size: write.length }],
      });
      expect(body.durationMs).toBeGreaterThanOrEqual(0);
      expect((await api.get(`/v1/runs/${id}/log`)).body.lines).toEqual([`line of ${id}`]);
    }
  });

  it('ends with a run that throws, or takes too long; the next one begins anew', async () => {
    const script = await kept(language, { timeout: 5 });
    for (const [ends, error] of [
      ['throws', /as it was told/],
      ['hangs', /timed out after 5 s/],
    ] as const) {
      await untilItStays(script);
      const failed = await outcome(script, { ends });
      expect(failed).toMatchObject({ status: 'failed', output: null, error: expect.stringMatching(error) });
      expect(await outcome(script)).toMatchObject({ status: 'succeeded' });
    }
  });

  it('is of one version, in one environment of one workspace', async () => {
    const script = await kept(language);
    await untilItStays(script);
    const name = `other-${language}`;
    expect((await api.post('/v1/workspace/environments', { name })).status).toBe(201);
    expect((await outcome(script, {}, { environment: name })).output).toMatchObject({
      count: 1,
      environment: name,
    });
    await untilItStays(script, { environment: name });
    const { file, source } = LANGUAGES[language];
    await newVersion(api, script.slug, { [file]: source }, versionOf(language));
    expect((await api.post(`/v1/scripts/${script.slug}/publish`, { version: 2 })).status).toBe(200);
    expect((await outcome(script)).output.count).toBe(1);
    const strangers = await newWorkspace();
    const from = client({ token: strangers.owner.token, workspace: strangers.slug });
    const same = await kept(language, {}, from);
    expect((await outcome(same, {}, { from })).output.count).toBe(1);
  });

  it('is of one value of its secrets', async () => {
    const set = async (value: string): Promise<void> => {
      const { status, text } = await api.put('/v1/workspace/secrets/TOKEN', {
        value,
        hosts: ['api.example.com'],
        allowEnv: true,
      });
      expect(status, text).toBeLessThan(300);
    };
    await set('a-value-of-a-secret');
    for (const fields of [
      { env: ['TOKEN'] },
      { hosts: ['api.example.com'], secrets: { TOKEN: { header: 'authorization' } } },
    ]) {
      const script = await kept(language, fields);
      await untilItStays(script);
      await set(`another-value-of-a-secret-${Object.keys(fields).length}`);
      expect((await outcome(script)).output.count).toBe(1);
      await untilItStays(script);
    }
  });

  it('serves one run at a time, where several come at once', async () => {
    const script = await kept(language);
    const all = await Promise.all(Array.from({ length: 8 }, () => outcome(script)));
    const more = await Promise.all(Array.from({ length: 8 }, () => outcome(script)));
    for (const { status, output, id, error } of [...all, ...more])
      expect({ status, error, told: output?.told }).toEqual({ status: 'succeeded', error: null, told: id });
  });

  it('is left to itself for as long as the version says', async () => {
    const script = await kept(language, { keep: { idleSeconds: 1, runs: 2 } });
    const counts = new Set<number>();
    for (let n = 0; n < 6; n++) counts.add((await outcome(script)).output.count);
    expect(Math.max(...counts)).toBeLessThanOrEqual(2);
  });

  it('is ended with a run that is cancelled', async () => {
    const script = await kept(language, { timeout: 60 });
    await untilItStays(script);
    const { body } = await run(api, script, { ends: 'hangs' });
    await expect.poll(async () => (await api.get(`/v1/runs/${body.id}/log`)).body.lines.length).toBe(1);
    expect((await api.post(`/v1/runs/${body.id}/cancel`)).status).toBeLessThan(300);
    expect(await runUntil(api, body.id, finished)).toMatchObject({ status: 'cancelled' });
    expect(await outcome(script)).toMatchObject({ status: 'succeeded' });
  });
});

describe('how long a process stays', () => {
  it('is told, with what is usual', async () => {
    const { slug } = await kept('node');
    expect((await api.get(`/v1/scripts/${slug}/versions/1`)).body.keep).toEqual({
      idleSeconds: 300,
      runs: 1000,
    });
    const { slug: none } = await kept('node', { keep: null });
    expect((await api.get(`/v1/scripts/${none}/versions/1`)).body.keep).toBeNull();
  });

  it('is of one trial, also where another has the same files', async () => {
    const { slug } = await kept('node', { keep: null });
    const archive = await archiveOf({ [LANGUAGES.node.file]: LANGUAGES.node.source });
    const trial = async (): Promise<string> =>
      (await api.post(`/v1/scripts/${slug}/trials`, { archive, ...versionOf('node') })).body.id as string;
    const [one, other] = [await trial(), await trial()];
    const count = async (id: string): Promise<number> => {
      const { body } = await api.post(`/v1/scripts/${slug}/trials/${id}/runs`, { inputs: {}, via: 'cli' });
      return (await runUntil(api, body.id as string, finished)).output.count;
    };
    await expect.poll(() => count(one)).toBeGreaterThan(1);
    expect(await count(other)).toBe(1);
  });

  it.each([
    [{ keep: {}, handler: false }, 'keep', /needs `handler`/],
    [{ keep: {}, warm: false }, 'keep', /contradicts `warm`/],
    [{ keep: true }, 'keep', /object/],
    [{ keep: [] }, 'keep', /object/],
    [{ keep: { idleSeconds: 0 } }, 'keep.idleSeconds', /from 1 to 3600/],
    [{ keep: { idleSeconds: 3601 } }, 'keep.idleSeconds', /from 1 to 3600/],
    [{ keep: { idleSeconds: '300' } }, 'keep.idleSeconds', /whole number/],
    [{ keep: { runs: 0 } }, 'keep.runs', /from 1 to 10000/],
    [{ keep: { runs: 1.5 } }, 'keep.runs', /whole number/],
    [{ keep: { runs: null } }, 'keep.runs', /whole number/],
    [{ keep: { seconds: 3 } }, 'keep.seconds', /is not known/],
  ])('is not %j', async (fields, path, message) => {
    const { slug } = await kept('node', { keep: null });
    const { file, source } = LANGUAGES.node;
    const { status, body } = await api.post(`/v1/scripts/${slug}/versions`, {
      archive: await archiveOf({ [file]: source }),
      ...versionOf('node', fields),
    });
    expect({ status, details: body.error.details }).toEqual({
      status: 400,
      details: [{ path, message: expect.stringMatching(message) }],
    });
  });
});
