import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, beforeAll, expect } from 'vitest';

import { PRELUDE, readProc } from '../../../libs/attacks/index.js';
import type { Client, Json } from '../../../libs/testing/index.js';
import { client, localClient, newWorkspace } from '../../support/gatehouse.js';
import { type TestScript, finished, publishedScript, run, runUntil } from '../../support/scripts.js';

/** What goes into the version besides the code. */
export type VersionFields = Record<string, unknown>;

/** Somebody who may publish and run scripts, and uses that to attack. */
export interface Attacker {
  api: Client;
  /** For requests that the client would not send. */
  headers: { authorization: string; 'x-workspace': string };
  /** Publishes Python code as a script. */
  script(code: string, fields?: VersionFields): Promise<TestScript>;
  /** Runs a script to its end. */
  run(script: TestScript, inputs?: Record<string, unknown>): Promise<Json>;
  /** Runs Python code once, to its end. */
  attempt(code: string, fields?: VersionFields, inputs?: Record<string, unknown>): Promise<Json>;
  /** As `attempt`, for code that has to succeed in showing that it failed: what it returned. */
  findings(code: string, fields?: VersionFields, inputs?: Record<string, unknown>): Promise<Json>;
  /** A page of a run's log, oldest line first. */
  log(runId: string, query?: string): Promise<string[]>;
}

/** `GATEHOUSE_TEMPLATES=on` and the names of files: their attacks are made in forked interpreters. */
const FORKED = process.env['GATEHOUSE_TEMPLATES'] === 'on';
/** Every path below a directory in which others make and delete meanwhile: what has gone is left out, links are not followed. */
export async function pathsIn(directory: string): Promise<string[]> {
  const paths: string[] = [];
  const folders = [''];
  for (const folder of folders) {
    const entries = await readdir(join(directory, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      paths.push(path);
      if (entry.isDirectory()) folders.push(path);
    }
  }
  return paths;
}

/** Of a run that was started, and of one that was forked: the processes in its box that it has not started itself. */
export const PROCESSES = [
  [1, 2],
  [1, 2, 3, 4],
];
/** What cannot be forked is attacked as it is. */
const MOST_REHEARSALS = 30;

/** A run that only makes its interpreter wait for the next one. */
const REHEARSAL = `
if inputs() == {"rehearsal": True}:
    print(json.dumps(os.getppid() == 3))
    sys.exit()
`;

/**
 * An attacker with a workspace of their own, for the tests of a file. After each of these the service has to be
 * ready, in the same process as before, and to run a script as if nothing had happened.
 */
export function anAttacker(): Attacker {
  let api: Client;
  let headers: Attacker['headers'];
  let bystander: TestScript;
  let startedAt: string | undefined;
  const attacker: Attacker = {
    get api() {
      return api;
    },
    get headers() {
      return headers;
    },
    script: (code, fields) =>
      publishedScript(
        api,
        { 'main.py': PRELUDE + REHEARSAL + code },
        { inputSchema: { type: 'object' }, ...fields },
      ),
    async run(script, inputs) {
      const { status, body, text } = await run(api, script, inputs);
      expect([200, 202], text).toContain(status);
      return status === 200 ? body : runUntil(api, body.id, finished, 60_000);
    },
    async attempt(code, fields, inputs) {
      const script = await attacker.script(code, fields);
      if (FORKED && !fields?.['inputSchema'] && !fields?.['command']) await rehearse(script);
      return attacker.run(script, inputs);
    },
    async findings(code, fields, inputs) {
      const end = await attacker.attempt(code, fields, inputs);
      expect(end).toMatchObject({ status: 'succeeded', error: null });
      return end.output;
    },
    async log(runId, query = '') {
      const { status, body, text } = await api.get(`/v1/runs/${runId}/log${query}`);
      expect(status, text).toBe(200);
      return body.lines as string[];
    },
  };
  /** Until its runs are forked from a template, so that the attack begins in one. */
  const rehearse = async (script: TestScript): Promise<void> => {
    if (await limitsAreReduced()) return;
    for (let attempt = 0; attempt < MOST_REHEARSALS; attempt++)
      if ((await attacker.run(script, { rehearsal: true })).output === true) return;
  };
  const startTime = async (): Promise<string | undefined> =>
    /^process_start_time_seconds \S+$/m.exec((await localClient().get('/metrics')).text)?.[0];

  beforeAll(async () => {
    const workspace = await newWorkspace();
    api = client({ token: workspace.owner.token, workspace: workspace.slug });
    headers = { authorization: `Bearer ${workspace.owner.token}`, 'x-workspace': workspace.slug };
    bystander = await attacker.script('print(sorted(os.listdir("/tmp") + os.listdir("/outputs")))');
    startedAt = await startTime();
  });
  afterEach(async () => {
    expect((await api.get('/health/ready')).status).toBe(200);
    expect(startedAt).toBeDefined();
    expect(await startTime(), 'the service was restarted').toBe(startedAt);
    expect(await attacker.run(bystander)).toMatchObject({ status: 'succeeded', output: [] });
  });
  return attacker;
}

/** `reduced`: the machine lets no cgroup be made, so memory is limited for each process only. */
export async function limitsAreReduced(): Promise<boolean> {
  const { status, body, text } = await client().get('/health/ready');
  expect(status, text).toBe(200);
  expect(body.checks.sandbox).toMatch(/^limits: /);
  return body.checks.sandbox === 'limits: reduced';
}

export { commandLine, processesWith } from '../../../libs/attacks/index.js';

/** A word that is nowhere else, to be looked for. */
export const newMarker = (): string => `marker-${randomBytes(9).toString('hex')}`;

/**
 * How many processes of this machine have a name, of at most 15 characters. Unlike the command line, it can be read
 * of a process that forks without end: nothing locks its memory.
 */
export const countNamed = (name: string): number =>
  readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && readProc(`${pid}/comm`) === `${name}\n`).length;

/** Waits until it holds; a test that waits in vain fails. */
export async function eventually(condition: () => unknown, timeoutMs = 60_000): Promise<void> {
  await expect.poll(condition, { timeout: timeoutMs, interval: 25 }).toBeTruthy();
}
