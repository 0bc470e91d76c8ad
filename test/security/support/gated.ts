import { readFileSync } from 'node:fs';

import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';

import { GATE_PRELUDE } from '../../../libs/attacks/index.js';
import {
  type Client,
  type Json,
  Seed,
  type TestWorkspace,
  createClient,
} from '../../../libs/testing/index.js';
import { startGatehouse } from '../../support/gatehouse.js';
import { type TestScript, finished, publishedScript, run, runUntil } from '../../support/scripts.js';
import { gateSettings } from '../../support/shared-gate.js';
import { type SharedGatehouse, sharedGatehouse } from '../../support/shared-gatehouse.js';
import { Upstreams } from '../../support/upstream.js';
import type { VersionFields } from './attack.js';

/** The service that is attacked. */
interface Attacked extends SharedGatehouse {
  stop(): Promise<void>;
}

interface Place {
  gatehouse: Attacked;
  upstreams: Upstreams;
}

/** Somebody whose scripts have hosts and secrets, and attack the gate with them. */
export interface GatedAttacker {
  api: Client;
  workspace: TestWorkspace;
  upstreams: Upstreams;
  gatehouse: Attacked;
  database: pg.Pool;
  /** Sets a secret in the default environment. */
  secret(name: string, value: string, hosts: string[], allowEnv?: boolean): Promise<void>;
  /** Publishes Python code, which finds its attacks in `libs/attacks/gate-prelude.ts`. */
  script(code: string, fields?: VersionFields): Promise<TestScript>;
  /** Starts a run of a script with a time-out over 30 s, which is not waited for; resolves with its id. */
  begin(script: TestScript, inputs?: Record<string, unknown>): Promise<string>;
  /** Runs a script to its end. */
  run(script: TestScript, inputs?: Record<string, unknown>): Promise<Json>;
  attempt(code: string, fields?: VersionFields, inputs?: Record<string, unknown>): Promise<Json>;
  /** As `attempt`, for code that has to succeed in showing that it failed: what it returned. */
  findings(code: string, fields?: VersionFields, inputs?: Record<string, unknown>): Promise<Json>;
  /** A run's log as one text. */
  log(runId: string): Promise<string>;
  /** What the service has in memory. */
  residentBytes(): number;
}

async function ownGatehouse(env: Record<string, string>): Promise<Place> {
  const upstreams = new Upstreams();
  const { process, output, ...gatehouse } = await startGatehouse({
    env: { ...(await gateSettings(upstreams)), ...env },
  });
  return { gatehouse: { ...gatehouse, pid: process.pid!, output: async () => output() }, upstreams };
}

async function notOwnGatehouse(): Promise<Place> {
  const { gatehouse, upstreams } = await sharedGatehouse();
  return { gatehouse: { ...gatehouse, stop: async () => undefined }, upstreams };
}

/** Whether there is such a process. */
function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/**
 * An attacker of a Gatehouse that may dial 127.0.0.1 and trusts the authority of `upstreams`. After each test it has to
 * be ready, in the same process as before. It is shared with other files unless `alone`, which is for
 * what disturbs others, looks for something in all that there is, or needs settings of its own.
 */
export function aGatedAttacker({
  alone = false,
  env = {},
}: { alone?: boolean; env?: Record<string, string> } = {}): GatedAttacker {
  let upstreams: Upstreams;
  let gatehouse: Attacked;
  let database: pg.Pool;
  let api: Client;
  let workspace: TestWorkspace;
  const attacker: GatedAttacker = {
    get upstreams() {
      return upstreams;
    },
    get api() {
      return api;
    },
    get workspace() {
      return workspace;
    },
    get gatehouse() {
      return gatehouse;
    },
    get database() {
      return database;
    },
    async secret(name, value, hosts, allowEnv = false) {
      const answer = await api.put(`/v1/workspace/secrets/${name}`, { value, hosts, allowEnv });
      expect([200, 201], answer.text).toContain(answer.status);
    },
    script: (code, fields) =>
      publishedScript(
        api,
        { 'main.py': GATE_PRELUDE + code },
        { inputSchema: { type: 'object' }, ...fields },
      ),
    async begin(script, inputs = {}) {
      const { status, body, text } = await api.post(`/v1/scripts/${script.slug}/runs`, { inputs });
      expect([200, 202], text).toContain(status);
      return body.id as string;
    },
    async run(script, inputs) {
      const { status, body, text } = await run(api, script, inputs);
      expect([200, 202], text).toContain(status);
      return status === 200 ? body : runUntil(api, body.id, finished, 60_000);
    },
    attempt: async (code, fields, inputs) => attacker.run(await attacker.script(code, fields), inputs),
    async findings(code, fields, inputs) {
      const end = await attacker.attempt(code, fields, inputs);
      expect(end).toMatchObject({ status: 'succeeded', error: null });
      return end.output;
    },
    async log(runId) {
      const { status, body, text } = await api.get(`/v1/runs/${runId}/log`);
      expect(status, text).toBe(200);
      return (body.lines as string[]).join('\n');
    },
    residentBytes() {
      const status = readFileSync(`/proc/${gatehouse.pid}/status`, 'utf8');
      return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) * 1024;
    },
  };

  beforeAll(async () => {
    ({ gatehouse, upstreams } = await (alone ? ownGatehouse(env) : notOwnGatehouse()));
    database = new pg.Pool({ connectionString: gatehouse.databaseUrl, max: 1 });
    workspace = await new Seed(gatehouse.baseUrl, database).workspace();
    api = createClient({
      baseUrl: gatehouse.baseUrl,
      token: workspace.owner.token,
      workspace: workspace.slug,
    });
  });
  afterEach(async () => {
    if (!lives(gatehouse.pid)) expect.fail(`It has ended:\n${await gatehouse.output()}`);
    expect((await api.get('/health/ready')).status).toBe(200);
  });
  afterAll(async () => {
    await database?.end();
    await gatehouse?.stop();
    await upstreams?.close();
  });
  return attacker;
}
