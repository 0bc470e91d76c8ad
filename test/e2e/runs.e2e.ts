import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, TestWorkspace } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { finished, newSlug, newVersion, publishedScript, python, run, runUntil } from '../support/scripts.js';

let workspace: TestWorkspace;
let api: Client;

beforeAll(async () => {
  workspace = await newWorkspace();
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
});

describe('a short run', () => {
  it('returns its result', async () => {
    const script = await python(api, 'import sys, json\nprint(json.dumps({"city": sys.argv[1]}))', {
      command: 'python3 main.py {city}',
    });
    const { status, body } = await run(api, script, { city: 'Köln; rm -rf /' });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^run_[0-9a-z]{26}$/),
      script: { id: script.id, slug: script.slug },
      version: 1,
      environment: 'production',
      status: 'succeeded',
      phase: 'finished',
      inputs: { city: 'Köln; rm -rf /' },
      output: { city: 'Köln; rm -rf /' },
      error: null,
      startedBy: { userId: workspace.owner.id, credentialType: 'pat', credentialName: 'test token' },
      interface: 'api',
      approvalRequestId: null,
      waitingApprovalIds: [],
      scheduleId: null,
      triggerId: null,
      hookId: null,
      causedBy: null,
      progress: null,
      progressMessage: null,
      outputView: null,
      test: false,
      trial: false,
      plan: false,
      plannedRequests: 0,
      logLines: 0,
      attempt: 1,
      nextAttemptAt: null,
      startAt: null,
      expiresAt: null,
      priority: 0,
      concurrencyKey: null,
      queue: null,
      debounce: null,
      labels: {},
      runsOn: [],
      endReason: null,
      attempts: [expect.objectContaining({ attempt: 1, error: null, logLines: 0 })],
      startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      executionStartedAt: expect.stringMatching(/Z$/),
      finishedAt: expect.stringMatching(/Z$/),
      durationMs: expect.any(Number),
      cpuMs: expect.any(Number),
      peakMemoryBytes: expect.any(Number),
      network: [],
      files: [],
      wholeLog: null,
      approval: null,
    });
    const read = await api.get(`/v1/runs/${body.id}`);
    const { approval, ...same } = body;
    expect(approval).toBeNull();
    expect(read.body).toEqual(same);
  });

  it('runs Node and shell scripts as well', async () => {
    const node = await publishedScript(
      api,
      { 'index.mjs': 'console.log(JSON.stringify([process.argv[2], 1]))' },
      { command: 'node index.mjs {a}' },
    );
    expect((await run(api, node, { a: 'x' })).body.output).toEqual(['x', 1]);
    const shell = await publishedScript(api, { 'run.sh': 'echo "hello from $0"' });
    expect((await run(api, shell)).body.output).toMatch(/^hello from/);
  });

  it.each([
    ['print("text")', 'text'],
    ['print("  padded  ")', 'padded'],
    ['pass', null],
    ['print("note")\nprint("{\\"a\\": 1}")', { a: 1 }],
    ['print("note")\nprint("[1, 2]")', [1, 2]],
    ['print("{")\nprint("  \\"a\\": [1]")\nprint("}")', { a: [1] }],
    ['print(42)', 42],
    ['print("null")', null],
    ['print("{broken")', '{broken'],
  ])('takes %j as the output %j', async (code, output) => {
    const { body } = await run(api, await python(api, code));
    expect(body).toMatchObject({ status: 'succeeded', output });
  });

  it('passes inputs as JSON in GATEHOUSE_INPUTS', async () => {
    const script = await python(api, 'import json, os\nprint(open(os.environ["GATEHOUSE_INPUTS"]).read())', {
      inputSchema: {
        type: 'object',
        properties: { n: { type: 'integer', default: 3 }, o: { type: 'object' } },
      },
    });
    const { body } = await run(api, script, { o: { deep: [null, true] } });
    expect(body.output).toEqual({ n: 3, o: { deep: [null, true] } });
    expect(body.inputs).toEqual({ n: 3, o: { deep: [null, true] } });
  });

  it.each([
    ['import sys; print("broken pipe", file=sys.stderr); sys.exit(3)', 'exit code 3: broken pipe'],
    ['raise ValueError("no such city")', 'exit code 1: ValueError: no such city'],
    ['import os, signal; os.kill(os.getpid(), signal.SIGKILL)', 'killed by SIGKILL'],
  ])('fails with a reason: %s', async (code, error) => {
    const { status, body } = await run(api, await python(api, code));
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'failed', output: null, error });
  });

  it.each([
    ['./run.sh', '#!/bin/sh'],
    ['./run.sh', '#!/usr/bin/env sh'],
    ['sh -c ./run.sh', '#!/bin/sh'],
    ['bash -c ./run.sh', '#!/bin/bash'],
    ['python main.py', '#!/bin/sh'],
  ])('says that a first line ends with a carriage return: %s, %s', async (command, first) => {
    const files = {
      'main.py': 'import subprocess\nsubprocess.run(["./run.sh"])',
      'run.sh': `${first}\r\necho hi\r\n`,
    };
    const script = await publishedScript(api, files, { command });
    const { body } = await run(api, script);
    expect(body).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^(exit code \d+: )?the first line of run.sh ends with a carriage return/),
    });
  });

  it('says what else is not found as ever', async () => {
    const script = await publishedScript(
      api,
      { 'run.sh': '#!/bin/shell\necho hi\n' },
      { command: './run.sh' },
    );
    const { body } = await run(api, script);
    expect(body.error).toMatch(/run.sh could not be executed/);
  });

  it('fails when it takes too long, and is gone', async () => {
    const script = await python(api, 'import time\nwhile True: time.sleep(1)', { timeout: 1 });
    const { body } = await run(api, script);
    expect(body).toMatchObject({ status: 'failed', error: 'timed out after 1 s' });
    expect(body.durationMs).toBeGreaterThanOrEqual(1000);
  });

  it('fails when its output does not match the schema, and shows it in the log', async () => {
    const script = await python(api, 'print("{\\"a\\": 1}")', {
      outputSchema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
    });
    const { body } = await run(api, script);
    expect(body.status).toBe('failed');
    expect(body.error).toMatch(/output.*a.*string/i);
    expect((await api.get(`/v1/runs/${body.id}/log`)).body.lines).toEqual(['{"a": 1}']);
  });

  it('fails when its output is too large, with the limit', async () => {
    const { body } = await run(api, await python(api, 'print("x" * (1024 * 1024 + 1))'));
    expect(body.status).toBe('failed');
    expect(body.error).toContain('1 MiB');
  });

  it('fails for a secret without a value, naming both', async () => {
    const script = await publishedScript(
      api,
      { 'main.py': 'pass' },
      {
        hosts: ['api.example.com'],
        secrets: { STRIPE_KEY: { header: 'authorization', host: 'api.example.com' } },
      },
    );
    const { body } = await run(api, script);
    expect(body).toMatchObject({
      status: 'failed',
      error: 'the secret STRIPE_KEY has no value in production',
    });
  });
});

describe('inputs', () => {
  it('are checked, each by its path', async () => {
    const script = await python(api, 'pass', {
      inputSchema: {
        type: 'object',
        properties: { city: { type: 'string' }, days: { type: 'integer' } },
        required: ['city'],
        additionalProperties: false,
      },
    });
    const { status, body } = await run(api, script, { days: 'many', extra: 1 });
    expect(status).toBe(400);
    expect(body.error.code).toBe('invalid_request');
    expect(body.error.details.map((detail: { path: string }) => detail.path).sort()).toEqual([
      'inputs.city',
      'inputs.days',
      'inputs.extra',
    ]);
  });

  it('that cannot be an argument point to GATEHOUSE_INPUTS', async () => {
    const script = await python(api, 'pass', { command: 'python3 main.py {text}' });
    const { status, body } = await run(api, script, { text: 'x'.repeat(200_000) });
    expect(status).toBe(400);
    expect(body.error.message).toContain('GATEHOUSE_INPUTS');
  });

  it.each([
    [{ inputs: [] }, 'inputs'],
    [{ inputs: 'x' }, 'inputs'],
    [{ via: 'app' }, 'via'],
    [{ what: 1 }, 'what'],
  ])('refuses the body %j at %s', async (body, path) => {
    const script = await python(api, 'pass');
    const answer = await api.post(`/v1/scripts/${script.slug}/runs`, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details[0].path).toBe(path);
  });
});

describe('what may run', () => {
  it('is a published script: 404, 409 for a draft, 409 for an archived one', async () => {
    expect((await api.post('/v1/scripts/nowhere/runs', {})).status).toBe(404);
    const slug = newSlug();
    await api.post('/v1/scripts', { slug, name: slug });
    await newVersion(api, slug, { 'main.py': 'pass' });
    expect((await api.post(`/v1/scripts/${slug}/runs`, {})).status).toBe(409);
    await api.delete(`/v1/scripts/${slug}`);
    expect((await api.post(`/v1/scripts/${slug}/runs`, {})).status).toBe(409);
  });

  it('includes a test of any version, which does not count', async () => {
    const slug = newSlug();
    await api.post('/v1/scripts', { slug, name: slug });
    await newVersion(api, slug, { 'main.py': 'print("one")' });
    const tested = await api.post(`/v1/scripts/${slug}/versions/1/runs`, {});
    expect(tested.body).toMatchObject({ status: 'succeeded', test: true, output: 'one', version: 1 });
    expect((await api.get(`/v1/scripts/${slug}`)).body.stats.runs30d).toBe(0);
    expect((await api.post(`/v1/scripts/${slug}/versions/2/runs`, {})).status).toBe(404);
    for (const number of ['x', '0', '2147483648', '99999999999']) {
      expect((await api.post(`/v1/scripts/${slug}/versions/${number}/runs`, {})).status).toBe(404);
    }
  });

  it('is not for a guest to test, nor for one to see unless it is shared', async () => {
    const guest = await workspace.person('guest');
    const theirs = client({ token: guest.token, workspace: workspace.slug });
    const script = await python(api, 'pass');
    expect((await run(theirs, script)).status).toBe(404);
    expect((await theirs.post(`/v1/scripts/${script.slug}/versions/1/runs`, {})).status).toBe(403);
  });

  it('is held where a policy says so, and can then be cancelled', async () => {
    const script = await python(api, 'pass');
    expect((await api.patch(`/v1/scripts/${script.slug}`, { approvalPolicy: 'always' })).status).toBe(200);
    const held = await run(api, script);
    expect(held.status).toBe(202);
    expect(held.body).toMatchObject({ status: 'awaiting_approval', phase: 'held', executionStartedAt: null });
    const cancelled = await api.post(`/v1/runs/${held.body.id}/cancel`);
    expect(cancelled.status).toBe(200);
    expect(cancelled.body).toMatchObject({ status: 'cancelled', phase: 'finished' });
  });

  it('is held for agents alone under the policy agents, and refused where agents are not allowed', async () => {
    const script = await python(api, 'pass');
    await api.patch(`/v1/scripts/${script.slug}`, { approvalPolicy: 'agents' });
    const agent = client({ token: await workspace.owner.agent(), workspace: workspace.slug });
    expect((await run(api, script)).body.status).toBe('succeeded');
    expect((await run(agent, script)).body).toMatchObject({
      status: 'awaiting_approval',
      interface: 'mcp',
      startedBy: { userId: workspace.owner.id, credentialType: 'oauth', credentialName: 'Test agent' },
    });
    expect(
      (await api.post('/v1/workspace/environments', { name: 'closed', agentsAllowed: false })).status,
    ).toBe(201);
    expect((await run(agent, script, {}, { 'x-environment': 'closed' })).status).toBe(403);
    expect((await run(api, script, {}, { 'x-environment': 'closed' })).body.environment).toBe('closed');
  });
});

describe('who started it', () => {
  it('is recorded for a key, a session and the command line', async () => {
    const script = await python(api, 'pass');
    const key = client({ token: await workspace.apiKey() });
    expect((await run(key, script)).body).toMatchObject({
      interface: 'api',
      startedBy: { userId: null, credentialType: 'api_key', credentialName: 'test key' },
    });
    const session = client({ cookie: workspace.owner.cookie, workspace: workspace.slug });
    expect((await run(session, script)).body).toMatchObject({
      interface: 'app',
      startedBy: { userId: workspace.owner.id, credentialType: null, credentialName: null },
    });
    const cli = await api.post(`/v1/scripts/${script.slug}/runs`, { via: 'cli' });
    expect(cli.body.interface).toBe('cli');
    const { stats } = (await api.get(`/v1/scripts/${script.slug}`)).body;
    expect(stats).toMatchObject({
      runs30d: 3,
      successRate: 1,
      people30d: 1,
      interfaces: { app: 1, api: 1, cli: 1, mcp: 0, schedule: 0, trigger: 0, hook: 0 },
    });
  });

  it('leaves an event and an audit entry', async () => {
    const { body } = await run(api, await python(api, 'import sys; sys.exit(1)'));
    const { rows } = await database().query(
      // Others follow from these.
      "SELECT type, data FROM events WHERE caused_by_run_id = $1 AND type LIKE 'run.%' ORDER BY id",
      [body.id],
    );
    expect(rows.map(({ type }) => type)).toEqual(['run.started', 'run.failed']);
    expect(rows[1].data).toEqual({
      runId: body.id,
      script: { id: body.script.id, slug: body.script.slug, name: body.script.slug },
      version: 1,
      status: 'failed',
      environment: 'production',
      interface: 'api',
      startedBy: body.startedBy,
      error: 'exit code 1',
      durationMs: body.durationMs,
      startedAt: body.startedAt,
      finishedAt: body.finishedAt,
      test: false,
      trial: false,
      labels: {},
    });
    const { items } = (await api.get('/v1/workspace/audit-events?limit=100')).body;
    expect(items.some((item: { action: string }) => item.action === 'run.started')).toBe(true);
  });
});

describe('progress', () => {
  it('is kept with all its digits', async () => {
    const code = 'import sys\nprint("::progress 0.12345678901234567 far", file=sys.stderr)';
    const { body } = await run(api, await python(api, code));
    expect(body).toMatchObject({ progress: 0.12345678901234567, progressMessage: 'far' });
    const [item] = (await api.get('/v1/runs?limit=1')).body.items;
    expect(item.progress).toBe(0.12345678901234567);
  });
});

describe('a long run', () => {
  it('returns 202 at once, shows progress and ends by itself', async () => {
    const script = await python(
      api,
      'import sys, time\nprint("::progress 0.5 half way", file=sys.stderr, flush=True)\ntime.sleep(8)\nprint("done")',
      { timeout: 60 },
    );
    const { status, body } = await run(api, script);
    expect(status).toBe(202);
    expect(body).toMatchObject({ status: 'running', approval: null, finishedAt: null, durationMs: null });
    const half = await runUntil(api, body.id, (seen) => seen.progress !== null);
    expect(half).toMatchObject({ progress: 0.5, progressMessage: 'half way', phase: 'executing' });
    const end = await runUntil(api, body.id, finished);
    expect(end).toMatchObject({ status: 'succeeded', output: 'done', logLines: 1 });
  });

  it('is cancelled with everything it started, even if it exits 0 meanwhile', async () => {
    const script = await python(
      api,
      'import signal, sys, time\nsignal.signal(signal.SIGTERM, lambda *_: sys.exit(0))\nprint("up", file=sys.stderr, flush=True)\ntime.sleep(100)',
      { timeout: 120 },
    );
    const { body } = await run(api, script);
    await runUntil(api, body.id, (seen) => seen.logLines > 0);
    const cancel = await api.post(`/v1/runs/${body.id}/cancel`);
    expect(cancel.status).toBe(202);
    expect(await runUntil(api, body.id, finished)).toMatchObject({ status: 'cancelled', output: null });
    expect((await api.post(`/v1/runs/${body.id}/cancel`)).status).toBe(409);
  });
});

describe('rerun', () => {
  it('takes the same version and inputs, also after another was published', async () => {
    const script = await python(api, 'import sys\nprint("one", sys.argv[1])', {
      command: 'python3 main.py {a}',
    });
    const first = (await run(api, script, { a: 'x' })).body;
    await newVersion(api, script.slug, { 'main.py': 'print("two")' });
    await api.post(`/v1/scripts/${script.slug}/publish`, { version: 2 });
    const again = await api.post(`/v1/runs/${first.id}/rerun`);
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({ version: 1, output: 'one x', inputs: { a: 'x' } });
    expect(again.body.id).not.toBe(first.id);
    expect((await api.post('/v1/runs/run_00000000000000000000000000/rerun')).status).toBe(404);
  });
});

describe('the list', () => {
  it('is filtered, paged and walks each run once', async () => {
    const own = await newWorkspace();
    const there = client({ token: own.owner.token, workspace: own.slug });
    await there.post('/v1/workspace/environments', { name: 'staging' });
    const [good, bad] = [await python(there, 'pass'), await python(there, 'raise SystemExit(1)')];
    for (let count = 0; count < 3; count++) await run(there, good);
    await run(there, good, {}, { 'x-environment': 'staging' });
    await run(there, bad);
    const count = async (query: string): Promise<number> =>
      (await there.get(`/v1/runs?${query}`)).body.items.length;
    expect(await count('limit=100')).toBe(5);
    expect(await count(`script=${good.slug}`)).toBe(4);
    expect(await count('status=failed')).toBe(1);
    expect(await count('environment=staging')).toBe(1);
    expect(await count('environment=nowhere')).toBe(0);
    expect(await count('interface=api')).toBe(5);
    expect(await count('interface=cli')).toBe(0);
    expect(await count('scheduleId=sch_x')).toBe(0);
    expect(await count(`script=${good.slug}&status=succeeded&environment=production`)).toBe(3);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await there.get(`/v1/runs?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.items.map((item: { id: string }) => item.id));
      cursor = body.nextCursor;
    }
    expect(new Set(seen).size).toBe(5);
    expect([...seen].sort().reverse()).toEqual(seen);
    const { nextCursor } = (await there.get('/v1/runs?limit=2')).body;
    expect((await there.get(`/v1/runs?limit=2&status=failed&cursor=${nextCursor}`)).status).toBe(400);
    expect((await api.get(`/v1/runs?limit=2&cursor=${nextCursor}`)).status).toBe(400);
    const [item] = (await there.get('/v1/runs?limit=1')).body.items;
    for (const field of ['files', 'inputs', 'output', 'network']) expect(item).not.toHaveProperty(field);
    const single = (await there.get(`/v1/runs/${item.id}`)).body;
    expect(single).toMatchObject({ ...item, inputs: {}, output: null, files: [] });
    expect((await there.get('/v1/runs?status=unknown')).status).toBe(400);
  });

  it('shows members no runs of scripts that they cannot see, and guests only their own', async () => {
    const own = await newWorkspace();
    const there = client({ token: own.owner.token, workspace: own.slug });
    const [guest, member] = [await own.person('guest'), await own.person('member')];
    const team = await database().query<{ id: string }>(
      `INSERT INTO teams (id, workspace_id, name) VALUES ('tea_' || substr($1, 5), $1, 'Secret') RETURNING id`,
      [own.id],
    );
    const secret = await python(there, 'pass');
    await there.patch(`/v1/scripts/${secret.slug}`, { access: 'teams', teamIds: [team.rows[0]!.id] });
    const made = (await run(there, secret)).body;
    await database().query('INSERT INTO team_members (team_id, user_id) VALUES ($1, $2)', [
      team.rows[0]!.id,
      guest.id,
    ]);
    const asGuest = client({ token: guest.token, workspace: own.slug });
    const asMember = client({ token: member.token, workspace: own.slug });
    expect((await asMember.get(`/v1/runs/${made.id}`)).status).toBe(404);
    expect((await asMember.get('/v1/runs')).body.items).toEqual([]);
    expect((await asMember.get(`/v1/runs/${made.id}/log`)).status).toBe(404);
    expect((await asMember.post(`/v1/runs/${made.id}/cancel`)).status).toBe(404);
    expect((await asGuest.get(`/v1/runs/${made.id}`)).status).toBe(404);
    const theirs = await run(asGuest, secret);
    expect(theirs.status).toBe(200);
    expect((await asGuest.get('/v1/runs')).body.items.map((item: { id: string }) => item.id)).toEqual([
      theirs.body.id,
    ]);
    expect((await asGuest.get(`/v1/runs/${theirs.body.id}`)).status).toBe(200);
  });

  it('hides other environments from a bound key, and other workspaces from everybody', async () => {
    const script = await python(api, 'pass');
    await api.post('/v1/workspace/environments', { name: 'bound' });
    const bound = client({ token: await workspace.apiKey('bound') });
    const outside = (await run(api, script)).body;
    const inside = (await run(bound, script)).body;
    expect(inside.environment).toBe('bound');
    expect((await bound.get(`/v1/runs/${outside.id}`)).status).toBe(404);
    expect((await bound.get('/v1/runs')).body.items.map((item: { id: string }) => item.id)).toEqual([
      inside.id,
    ]);
    expect((await bound.get('/v1/runs?environment=bound')).body.items).toHaveLength(1);
    const elsewhere = await bound.get('/v1/runs?environment=production');
    expect([elsewhere.status, elsewhere.body.error.code]).toEqual([403, 'forbidden']);
    const stranger = await newWorkspace();
    const theirs = client({ token: stranger.owner.token, workspace: stranger.slug });
    for (const path of ['', '/log', '/log/stream']) {
      expect((await theirs.get(`/v1/runs/${outside.id}${path}`)).status).toBe(404);
    }
    expect((await theirs.post(`/v1/runs/${outside.id}/rerun`)).status).toBe(404);
  });
});

describe('an Idempotency-Key', () => {
  it('runs once, and returns the same run to a retry', async () => {
    const script = await python(api, 'import time; time.sleep(2); print("once")');
    const key = { 'idempotency-key': `run-${script.slug}` };
    const [one, other] = await Promise.all([run(api, script, {}, key), run(api, script, {}, key)]);
    const statuses = [one.status, other.status].sort();
    expect(statuses).toEqual([200, 409]);
    const conflict = one.status === 409 ? one : other;
    expect(conflict.body.error.code).toBe('idempotency_in_progress');
    expect(conflict.headers.get('retry-after')).toBe('1');
    const retry = await run(api, script, {}, key);
    expect(retry.status).toBe(200);
    expect(retry.headers.get('idempotent-replayed')).toBe('true');
    expect(retry.body).toEqual((one.status === 200 ? one : other).body);
    expect((await api.get(`/v1/runs?script=${script.slug}`)).body.items).toHaveLength(1);
    expect((await run(api, script, { other: 1 }, key)).status).toBe(422);
  });
});
