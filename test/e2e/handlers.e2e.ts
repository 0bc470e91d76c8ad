import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { client, newWorkspace } from '../support/gatehouse.js';
import { archiveOf, finished, newSlug, publishedScript, run, runUntil } from '../support/scripts.js';

let workspace: TestWorkspace;
let api: Client;

beforeAll(async () => {
  workspace = await newWorkspace();
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
});

const ANYTHING = { type: 'object' };

interface Language {
  name: string;
  file: string;
  command: string;
  /** A file whose function has this body. */
  of: (body: string, before?: string) => string;
}

const NODE: Language = {
  name: 'a Node module',
  file: 'main.mjs',
  command: 'node main.mjs',
  of: (body, before = '') => `${before}\nexport default async (inputs, run) => {\n${body}\n};\n`,
};
const COMMON: Language = {
  name: 'a CommonJS file',
  file: 'main.cjs',
  command: 'node main.cjs',
  of: (body, before = '') => `${before}\nmodule.exports = (inputs, run) => {\n${body}\n};\n`,
};
const PYTHON: Language = {
  name: 'a Python file',
  file: 'main.py',
  command: 'python main.py',
  of: (body, before = '') =>
    `${before}\ndef main(inputs, run):\n    ${body.trim().split('\n').join('\n    ')}\n`,
};

const both = (node: string, python: string): [Language, string][] => [
  [NODE, node],
  [PYTHON, python],
];

async function called(
  language: Language,
  source: string,
  inputs: Record<string, unknown> = {},
  fields: Record<string, unknown> = {},
): Promise<{ body: Json; log: string[] }> {
  const { file, command } = language;
  const version = { command, handler: true, inputSchema: ANYTHING, ...fields };
  const script = await publishedScript(api, { [file]: source }, version);
  const started = await run(api, script, inputs);
  expect(started.status, started.text).toBeLessThan(300);
  const body = await runUntil(api, started.body.id, finished);
  const { lines } = (await api.get(`/v1/runs/${body.id}/log`)).body;
  return { body, log: lines as string[] };
}

describe('a version that exports a function', () => {
  it.each([
    [NODE, 'console.log("seen"); return { total: inputs.a + inputs.b };'],
    [COMMON, 'console.log("seen"); return { total: inputs.a + inputs.b };'],
    [PYTHON, 'print("seen")\nreturn {"total": inputs["a"] + inputs["b"]}'],
  ] as [Language, string][])('has it called with the inputs, of %o', async (language, code) => {
    const { body, log } = await called(language, language.of(code), { a: 3, b: 4 });
    expect(body, log.join('\n')).toMatchObject({ status: 'succeeded', output: { total: 7 } });
    expect(log).toEqual(['seen']);
  });

  it.each(both('return inputs.value;', 'return inputs["value"]'))(
    'gives back any JSON as it is, of %o',
    async (language, code) => {
      for (const value of ['{"not": "parsed"}', '', 0, false, [1, [2]], { text: 'a\nb' }]) {
        const { body } = await called(language, language.of(code), { value });
        expect(body).toMatchObject({ status: 'succeeded', output: value });
      }
    },
  );

  it.each(both('', 'pass'))('has no output where nothing is returned, of %o', async (language, code) => {
    const { body } = await called(language, language.of(code));
    expect(body).toMatchObject({ status: 'succeeded', output: null });
  });

  it.each(
    both(
      `run.log('hello %s', 'you', { a: 1 });
       run.progress(0.25, 'a quarter\\nof it');
       await import('node:fs/promises').then(({ writeFile }) => writeFile(\`\${run.outputs}/note.txt\`, 'x'));
       const { id, attempt, script, environment, files, outputs } = run;
       return { id, attempt, script, environment, files, outputs, argv: process.argv.slice(1), cwd: process.cwd() };`,
      `run.log("hello", "you", {"a": 1})
run.progress(0.25, "a quarter\\nof it")
import os, sys
open(run.outputs + "/note.txt", "w").write("x")
known = {name: getattr(run, name) for name in ("id", "attempt", "script", "environment", "files", "outputs")}
return {**known, "argv": sys.argv, "cwd": os.getcwd()}`,
    ),
  )('knows its run, of %o', async (language, code) => {
    const { body, log } = await called(language, language.of(code));
    expect(body, log.join('\n')).toMatchObject({
      status: 'succeeded',
      progress: 0.25,
      progressMessage: 'a quarter of it',
      output: {
        id: body.id,
        attempt: 1,
        script: body.script.slug,
        environment: 'production',
        files: '/inputs',
        outputs: '/outputs',
        argv: [`/app/${language.file}`],
        cwd: '/app',
      },
      files: [{ name: 'note.txt' }],
    });
    expect(log).toEqual([expect.stringMatching(/^hello you \{ ?'?a'?: 1 ?\}$/)]);
  });

  it.each(both('throw new TypeError("no such customer");', 'raise TypeError("no such customer")'))(
    'has failed where it throws, of %o',
    async (language, code) => {
      const { body, log } = await called(language, language.of(code));
      expect(body).toMatchObject({
        status: 'failed',
        output: null,
        error: 'exit code 1: TypeError: no such customer',
      });
      expect(log.join('\n')).not.toContain('/runtime/handler/handler.py');
    },
  );

  it.each([
    [NODE, 'await new Promise(() => undefined);', /before it returned/],
    [NODE, 'process.exit(0);', /before it returned/],
    [NODE, 'process.exit(3);', /exit code 3/],
    [NODE, 'return () => 1;', /returned a function, which is no JSON/],
    [NODE, 'const a = {}; a.a = a; return a;', /circular/],
    [NODE, 'return 1n;', /BigInt/],
    [PYTHON, 'import os\nos._exit(0)', /before it returned/],
    [PYTHON, 'raise SystemExit(3)', /exit code 3/],
    [PYTHON, 'return {1, 2}', /set is not JSON serializable/],
    [PYTHON, 'return float("nan")', /not JSON compliant/],
  ] as [Language, string, RegExp][])(
    'has failed where there is no answer: %o %s',
    async (language, code, error) => {
      const { body, log } = await called(language, language.of(code));
      expect(body, log.join('\n')).toMatchObject({ status: 'failed', output: null });
      expect(body.error).toMatch(error);
    },
  );

  it.each([
    'import sys\nsys.exit()',
    'import sys\nsys.exit(0)',
    'async def end(): raise SystemExit(0)\nreturn end()',
  ])('has returned nothing where it exits well: %s', async (code) => {
    const { body, log } = await called(PYTHON, PYTHON.of(code));
    expect(body, log.join('\n')).toMatchObject({ status: 'succeeded', output: null, error: null });
  });

  it.each([
    [NODE, 'export const main = 1;', /main.mjs exports no function as its default/],
    [PYTHON, 'other = 1', /main.py has no function main/],
  ] as [Language, string, RegExp][])(
    'has failed where there is none: %o',
    async (language, source, error) => {
      const { body } = await called(language, source);
      expect(body).toMatchObject({ status: 'failed', error: expect.stringMatching(error) });
    },
  );

  it.each(
    both(
      'setInterval(() => undefined, 1000); new Worker("setInterval(() => 1, 1000)", { eval: true }); return 1;',
      'threading.Thread(target=lambda: time.sleep(600)).start()\nreturn 1',
    ),
  )('has ended when it has returned, whatever it left, of %o', async (language, code) => {
    const before = {
      [NODE.name]: 'import { Worker } from "node:worker_threads";',
      [PYTHON.name]: 'import threading, time',
    };
    const { body } = await called(language, language.of(code, before[language.name]));
    expect(body).toMatchObject({ status: 'succeeded', output: 1 });
  });

  it.each(
    both(
      'spawnSync("echo", ["from a child"], { stdio: "inherit" }); return "own";',
      'subprocess.run(["echo", "from a child"])\nreturn "own"',
    ),
  )('keeps what its children print out of the output, of %o', async (language, code) => {
    const before = {
      [NODE.name]: 'import { spawnSync } from "node:child_process";',
      [PYTHON.name]: 'import subprocess',
    };
    const { body, log } = await called(language, language.of(code, before[language.name]));
    expect(body).toMatchObject({ status: 'succeeded', output: 'own' });
    expect(log).toEqual(['from a child']);
  });

  it('may be async in Python, and is no program of its own', async () => {
    const source = `import asyncio, other
async def main(inputs, run):
    await asyncio.sleep(0)
    return [other.VALUE, __name__, asyncio.current_task() is not None]
if __name__ == "__main__":
    raise SystemExit("not here")
`;
    const files = { 'main.py': source, 'other.py': 'VALUE = 5' };
    const version = { command: 'python3 main.py', handler: true };
    const { body } = await run(api, await publishedScript(api, files, version));
    expect(body).toMatchObject({ status: 'succeeded', output: [5, 'main', true] });
  });

  it('may be TypeScript, in a folder of its own, where the Node of the worker runs that', async () => {
    const about = await publishedScript(
      api,
      { 'main.mjs': 'console.log(JSON.stringify(Boolean(process.features.typescript)));' },
      { command: 'node main.mjs' },
    );
    const { output: runsTypeScript } = (await run(api, about)).body;
    const files = {
      'src/main.ts': `import { twice } from './twice.ts';
export default ({ n }: { n: number }): number => twice(n);`,
      'README.md': 'A folder alone would be the version.',
      'src/twice.ts': 'export const twice = (n: number): number => 2 * n;',
    };
    const version = { command: 'node src/main.ts', handler: true, inputSchema: ANYTHING };
    const { body } = await run(api, await publishedScript(api, files, version), { n: 21 });
    expect(body).toMatchObject(
      runsTypeScript
        ? { status: 'succeeded', output: 42 }
        : { status: 'failed', error: expect.stringContaining('.ts') },
    );
  });

  it('is given the path of a file', async () => {
    const file = await api.post('/v1/files?name=a.txt', Buffer.from('inside'), {
      'content-type': 'text/plain',
    });
    const inputSchema = { type: 'object', properties: { table: { type: 'string', format: 'file' } } };
    const source = PYTHON.of('return [inputs["table"].startswith(run.files), open(inputs["table"]).read()]');
    const { body } = await called(PYTHON, source, { table: file.body.id }, { inputSchema });
    expect(body).toMatchObject({ status: 'succeeded', output: [true, 'inside'] });
  });

  it('has its output compared with the schema', async () => {
    const outputSchema = { type: 'object' };
    const { body } = await called(NODE, NODE.of('return "text";'), {}, { outputSchema });
    expect(body).toMatchObject({ status: 'failed', output: null });
  });

  it('is a trial as well', async () => {
    const slug = newSlug();
    await api.post('/v1/scripts', { slug, name: slug });
    const archive = await archiveOf({ 'main.mjs': NODE.of('return run.script;') });
    const trial = await api.post(`/v1/scripts/${slug}/trials`, { archive, handler: true });
    expect(trial.body, trial.text).toMatchObject({ handler: true, command: 'node main.mjs' });
    const started = await api.post(`/v1/scripts/${slug}/trials/${trial.body.id}/runs`, { inputs: {} });
    expect(await runUntil(api, started.body.id, finished)).toMatchObject({
      status: 'succeeded',
      output: slug,
    });
  });

  it.each([
    'node main.mjs --fast',
    'python main.mjs {city}',
    'bash main.sh',
    'node ../main.mjs',
    'python main.js',
    'node',
  ])('is refused with the command %s', async (command) => {
    const slug = newSlug();
    await api.post('/v1/scripts', { slug, name: slug });
    const archive = await archiveOf({ 'main.mjs': '' });
    const { status, body } = await api.post(`/v1/scripts/${slug}/versions`, {
      archive,
      command,
      handler: true,
    });
    expect(status).toBe(400);
    expect(body.error.details).toMatchObject([{ path: 'handler' }]);
  });

  it('is none unless it says so', async () => {
    const { body } = await called(
      NODE,
      `${NODE.of('return 1;')}console.log('"as ever"');`,
      {},
      { handler: false },
    );
    expect(body).toMatchObject({ status: 'succeeded', output: 'as ever' });
  });
});
