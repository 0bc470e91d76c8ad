import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import type { Json } from '../../../libs/testing/index.js';
import { baseUrl, client, newWorkspace } from '../../support/gatehouse.js';
import { PACKING_MS, pack } from '../../support/packages.js';

const action = parse(readFileSync('action.yml', 'utf8')) as Json;
const SLUG = 'greeter';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-action-'));
  await pack();
  await mkdir(join(directory, SLUG));
  await writeFile(join(directory, SLUG, 'gatehouse.yaml'), `slug: ${SLUG}\ncommand: python main.py\n`);
  await writeFile(join(directory, SLUG, 'main.py'), 'print("Hello!")\n');
}, PACKING_MS);
afterAll(() => rm(directory, { recursive: true, force: true }));

type Workspace = Awaited<ReturnType<typeof newWorkspace>>;

/** Carries the steps out as a runner does: each in a bash of its own, with the variables that it names. */
async function carryOut(workspace: Workspace, event: string, inputs: Json = {}): Promise<string> {
  const given = Object.fromEntries(
    Object.entries<Json>(action.inputs).map(([name, { default: value = '' }]) => [`inputs.${name}`, value]),
  );
  const known: Record<string, string> = {
    ...given,
    'github.event_name': event,
    'inputs.url': baseUrl(),
    'inputs.token': workspace.owner?.token,
    'inputs.workspace': workspace.slug,
    'inputs.directory': SLUG,
    ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`inputs.${name}`, value])),
  };
  const fill = (text: string): string =>
    text.replace(/\$\{\{ ([\w.]+) \}\}/g, (_, name: string) => {
      expect(known).toHaveProperty([name]);
      return known[name]!;
    });
  let said = '';
  for (const step of action.runs.steps) {
    const outputs = join(directory, 'outputs');
    await writeFile(outputs, '');
    const { stdout, stderr } = await promisify(execFile)(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run],
      {
        cwd: join(directory, fill(step['working-directory'] ?? '.')),
        env: {
          ...{ PATH: process.env['PATH'], HOME: directory, RUNNER_TEMP: directory, GITHUB_OUTPUT: outputs },
          npm_config_registry: 'http://127.0.0.1:9',
          ...Object.fromEntries(Object.entries<string>(step.env).map(([name, value]) => [name, fill(value)])),
        },
      },
    );
    said += stdout + stderr;
    for (const [, name, value] of (await readFile(outputs, 'utf8')).matchAll(/^(\w+)=(.*)$/gm)) {
      known[`steps.${step.id}.outputs.${name}`] = value!;
    }
  }
  return said;
}

const api = ({ owner, slug }: Workspace) => client({ token: owner.token, workspace: slug });

const versionsOf = async (workspace: Workspace): Promise<number> =>
  ((await api(workspace).get(`/v1/scripts/${SLUG}/versions`)).body.items ?? []).length;

describe('the action', () => {
  it('puts nothing from outside into what a shell reads', () => {
    expect(action.runs.steps.length).toBeGreaterThan(0);
    for (const { run, shell } of action.runs.steps) {
      expect(shell).toBe('bash');
      expect(run).not.toContain('${{');
      expect(run).not.toMatch(/\beval\b|GATEHOUSE_TOKEN/);
    }
  });

  it('installs nothing that the checkout names', async () => {
    const workspace = await newWorkspace();
    const trap = '{ "name": "@gatehouse/cli", "version": "9.9.9", "bin": { "gatehouse": "./x.js" } }';
    await mkdir(join(directory, 'node_modules', '@gatehouse', 'cli'), { recursive: true });
    await writeFile(join(directory, 'node_modules', '@gatehouse', 'cli', 'package.json'), trap);
    await writeFile(join(directory, '.npmrc'), '@gatehouse:registry=http://127.0.0.1:9\nprefix=/nowhere\n');
    try {
      expect(await carryOut(workspace, 'pull_request')).toContain('This would be a new version.');
    } finally {
      await rm(join(directory, '.npmrc'));
      await rm(join(directory, 'node_modules'), { recursive: true });
    }
  });

  it.each(['', 'gatehouse', '--help'])(
    'fails where %j is no address of a service, and asks no other registry',
    async (url) => {
      const attempt = carryOut({} as Workspace, 'push', { url, token: 'x', workspace: 'x' });
      await expect(attempt).rejects.toMatchObject({ code: expect.any(Number) });
    },
  );

  it('shows the token to nothing but the command line', () => {
    const withToken = action.runs.steps.filter((step: Json) => JSON.stringify(step).includes('inputs.token'));
    expect(withToken).toHaveLength(1);
    expect(withToken[0].run).not.toContain('npm');
  });

  it.each(['pull_request', 'schedule'])('only says what would change on %s', async (event) => {
    const workspace = await newWorkspace();
    expect(await carryOut(workspace, event)).toContain('This would be a new version.');
    expect(await versionsOf(workspace)).toBe(0);
  });

  it('pushes and publishes what was merged', async () => {
    const workspace = await newWorkspace();
    expect(await carryOut(workspace, 'push')).toContain('Version 1 is published.');
    expect(await versionsOf(workspace)).toBe(1);
    expect(await carryOut(workspace, 'push')).toContain('Nothing has changed since version 1.');
  });

  it('takes other commands, an argument a line, and reads nothing in them', async () => {
    const workspace = await newWorkspace();
    await carryOut(workspace, 'push');
    const name = 'it\'s "$(touch ../taken)" `touch ../taken`; touch ../taken';
    const args = `api\nPATCH\n/scripts/${SLUG}\n--field\nname=${name}\n`;
    expect(await carryOut(workspace, 'push', { args })).toContain(SLUG);
    expect((await api(workspace).get(`/v1/scripts/${SLUG}`)).body.name).toBe(name);
    expect(existsSync(join(directory, 'taken'))).toBe(false);
  });

  it('fails where the command does', async () => {
    const workspace = await newWorkspace();
    await expect(carryOut(workspace, 'push', { token: 'gh_nothing' })).rejects.toMatchObject({ code: 4 });
  });
});
