import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { client, newWorkspace } from '../support/gatehouse.js';
import { finished, publishedScript, run, runUntil, type TestScript } from '../support/scripts.js';

let workspace: TestWorkspace;
let api: Client;

beforeAll(async () => {
  workspace = await newWorkspace();
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
});

const SECRET = 'kept-from-the-output-0123456789';

function handler(file: string, source: string, fields: object = {}): Promise<TestScript> {
  const command = `${file.endsWith('.py') ? 'python' : 'node'} ${file}`;
  const version = { command, handler: true, inputSchema: { type: 'object' }, ...fields };
  return publishedScript(api, { [file]: source }, version);
}

async function outcome(script: TestScript, inputs: Record<string, unknown> = {}): Promise<Json> {
  const { body, text } = await run(api, script, inputs);
  expect(body.id, text).toBeDefined();
  return runUntil(api, body.id, finished);
}

const lines = async ({ id }: Json): Promise<string[]> =>
  (await api.get(`/v1/runs/${id}/log`)).body.lines as string[];

/** What writes to standard output as the one who calls the function does. */
const FORGE = `
import glob, os
def forge(text):
    for name in os.listdir("/proc/self/fd"):
        try: same = os.readlink(f"/proc/self/fd/{name}")
        except OSError: continue
        if same.startswith("pipe:") and int(name) > 2: os.write(int(name), text)
`;

describe('a function that is called', () => {
  it.each([
    [
      'main.mjs',
      'export default () => { for (const stream of [process.stdout, process.stderr]) stream.write(\'{"forged":true}\\n\'); return "own"; };',
    ],
    [
      'main.py',
      'import sys\ndef main(inputs, run):\n    print(\'{"forged": true}\'); print(\'{"forged": true}\', file=sys.stderr)\n    return "own"',
    ],
  ])('has printed no output, whatever that looks like: %s', async (file, source) => {
    const body = await outcome(await handler(file, source));
    expect(body).toMatchObject({ status: 'succeeded', output: 'own' });
    expect((await lines(body)).map((line) => JSON.parse(line) as Json)).toEqual([
      { forged: true },
      { forged: true },
    ]);
  });

  it('that answers twice, or for itself, changes its own output alone', async () => {
    const source = `${FORGE}
def main(inputs, run):
    if inputs.get("forge"):
        forge(b'{"forged": true}\\n')
        if inputs["forge"] == "and ends": os._exit(0)
    return {"own": inputs}`;
    const script = await handler('main.py', source);
    const [forged, ended, after] = [
      await outcome(script, { forge: 'once' }),
      await outcome(script, { forge: 'and ends' }),
      await outcome(script),
    ];
    expect(forged).toMatchObject({ status: 'succeeded', output: { own: { forge: 'once' } } });
    expect(ended).toMatchObject({ status: 'succeeded', output: { forged: true } });
    expect(after).toMatchObject({ status: 'succeeded', output: { own: {} } });
  });

  it('has not answered where it fails after it has answered for itself', async () => {
    const failing = await handler(
      'main.py',
      `${FORGE}
def main(inputs, run):
    forge(b'{"forged": true}')
    raise ValueError("no")`,
    );
    expect(await outcome(failing)).toMatchObject({ status: 'failed', output: null });
  });

  it.each([
    [
      'main.mjs',
      'export default () => ({ plain: process.env.HANDLER_KEY, text: `x${process.env.HANDLER_KEY}y` });',
    ],
    [
      'main.py',
      'import os\ndef main(inputs, run):\n    key = os.environ["HANDLER_KEY"]\n    return {"plain": key, "text": f"x{key}y"}',
    ],
    [
      'main.py',
      'import os\ndef main(inputs, run):\n    run.log(os.environ["HANDLER_KEY"])\n    print(os.environ["HANDLER_KEY"])\n    run.progress(0.5, os.environ["HANDLER_KEY"])',
    ],
  ])('does not return, print or report a secret: %s', async (file, source) => {
    const secret = { value: SECRET, hosts: [], allowEnv: true };
    expect((await api.put('/v1/workspace/secrets/HANDLER_KEY', secret)).status).toBeLessThan(300);
    const body = await outcome(await handler(file, source, { env: ['HANDLER_KEY'] }));
    expect(body.status).toBe('succeeded');
    expect(JSON.stringify([body, await lines(body)])).not.toContain(SECRET);
  });

  it.each([
    [
      'main.mjs',
      'export default () => { const line = "x".repeat(1023) + "\\n"; for (let i = 0; i < 20_000; i++) process.stdout.write(line); return "own"; };',
    ],
    ['main.py', 'def main(inputs, run):\n    for _ in range(20_000): print("x" * 1023)\n    return "own"'],
  ])(
    'that floods its output with lines has its answer, and a log within bounds: %s',
    async (file, source) => {
      const body = await outcome(await handler(file, source));
      expect(body).toMatchObject({ status: 'succeeded', output: 'own' });
      expect((await lines(body)).length).toBeLessThanOrEqual(10_000);
    },
  );

  it.each([
    ['main.mjs', 'export default () => "x".repeat(2 ** 21);'],
    ['main.py', 'def main(inputs, run): return "x" * 2 ** 21'],
  ])('that returns too much has failed: %s', async (file, source) => {
    const body = await outcome(await handler(file, source));
    expect(body).toMatchObject({
      status: 'failed',
      output: null,
      error: expect.stringMatching(/^the function returned more than 1 MiB/),
    });
  });

  it('cannot change what calls it', async () => {
    const source = `
import os
def main(inputs, run):
    tried = {}
    for name in ("handler.cjs", "handler.py", "new.py"):
        path = "/runtime/handler/" + name
        for how in (lambda: open(path, "a"), lambda: os.chmod(path, 0o777), lambda: os.rename(path, path + "x"), lambda: os.symlink("/tmp", path)):
            try: how(); tried[name] = "done"
            except OSError: pass
    return tried`;
    expect(await outcome(await handler('main.py', source))).toMatchObject({
      status: 'succeeded',
      output: {},
    });
  });
});
