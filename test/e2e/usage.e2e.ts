import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { type Client, type Json, type TestWorkspace, createClient } from '../../libs/testing/index.js';
import { usagePeriod } from '../../src/usage/usage-period.js';
import { runAdmin } from '../support/admin.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { finished, newVersion, publishedScript, python, run, runUntil } from '../support/scripts.js';
import { WebhookBench } from '../support/webhooks.js';

const USAGE = '/v1/workspace/usage';
const PLANS = {
  default: { limits: {}, retentionDays: 30 },
  three_runs: { limits: { runs: 3 } },
  five_seconds: { limits: { run_seconds: 5 } },
  small: { limits: { storage_bytes: 1000 } },
  pair: { limits: { members: 2 } },
  two_hooks: { limits: { webhook_deliveries: 2 } },
  nothing: { limits: { runs: 0 } },
};

let smtp: MailServer;
let bench: WebhookBench;
let near: NearALimit;
/** Comes near a limit a round later. */
let another: { ws: TestWorkspace; api: Client };

beforeAll(async () => {
  smtp = await startMailServer();
  bench = await WebhookBench.start({
    GATEHOUSE_PLANS: JSON.stringify(PLANS),
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
  });
  near = await nearALimit();
});

afterAll(async () => {
  await bench?.close();
  await smtp?.stop();
});

async function query<T = Json>(sql: string, parameters: unknown[] = []): Promise<T[]> {
  return (await bench.pool.query(sql, parameters)).rows as T[];
}

async function workspaceOn(plan: keyof typeof PLANS): Promise<{ ws: TestWorkspace; api: Client }> {
  const ws = await bench.workspace();
  await setPlan(ws, plan);
  return { ws, api: bench.client(ws) };
}

const setPlan = (ws: TestWorkspace, plan: string): Promise<unknown> =>
  query('UPDATE workspaces SET plan = $2 WHERE id = $1', [ws.id, plan]);

/** A workspace that is near a limit from the beginning: owners are written to every 20 s, while other tests run. */
interface NearALimit {
  ws: TestWorkspace;
  api: Client;
  owners: string[];
  /** Those to one of its people. */
  mails(): MailServer['mails'];
}

async function nearALimit(): Promise<NearALimit> {
  const { ws, api } = await workspaceOn('five_seconds');
  const owners = [ws.owner.email, (await ws.person('owner')).email];
  const people = [...owners, (await ws.person('member')).email];
  await setUsed(ws, 'run_seconds', 4);
  return { ws, api, owners, mails: () => smtp.mails.filter(({ to }) => people.includes(to[0]!)) };
}

async function usage(api: Client): Promise<Json> {
  const answer = await api.get(USAGE);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

async function used(api: Client, meter: string): Promise<number> {
  return (await usage(api)).meters.find(({ id }: Json) => id === meter).used;
}

/** Has so much of a meter used in the present period. */
const setUsed = (ws: TestWorkspace, meter: string, amount: number): Promise<unknown> =>
  query(
    `INSERT INTO usage_counters (workspace_id, meter, period_start, used)
     SELECT id, $2, usage_period_start(created_at, now()), $3 FROM workspaces WHERE id = $1
     ON CONFLICT (workspace_id, meter, period_start) DO UPDATE SET used = excluded.used`,
    [ws.id, meter, amount],
  );

const upload = (api: Client, bytes: number) =>
  api.post('/v1/files?name=a.bin', randomBytes(bytes), { 'content-type': 'application/octet-stream' });

/** Everything that a start of a run writes. */
async function traces({ id }: TestWorkspace): Promise<unknown> {
  const [row] = await query(
    `SELECT (SELECT count(*) FROM runs WHERE workspace_id = $1) AS runs,
       (SELECT count(*) FROM events WHERE workspace_id = $1) AS events,
       (SELECT count(*) FROM audit_events WHERE workspace_id = $1) AS entries,
       (SELECT sum(a.runs) FROM script_activity a JOIN scripts s ON s.id = a.script_id WHERE s.workspace_id = $1) AS activity,
       (SELECT sum(p.runs) FROM script_people p JOIN scripts s ON s.id = p.script_id WHERE s.workspace_id = $1) AS people`,
    [id],
  );
  return row;
}

describe('GET /v1/workspace/usage', () => {
  it('shows every meter of a new workspace, without limits and notices', async () => {
    const { ws, api } = await workspaceOn('default');
    const body = await usage(api);
    const [{ created_at: made }] = (await query('SELECT created_at FROM workspaces WHERE id = $1', [
      ws.id,
    ])) as [Json];
    const { start, end } = usagePeriod(made, new Date());
    expect(body).toEqual({
      periodStart: start.toISOString(),
      periodEnd: end.toISOString(),
      meters: [
        ['runs', 0],
        ['run_seconds', 0],
        ['webhook_deliveries', 0],
        ['agent_messages', 0],
        ['storage_bytes', 0],
        ['members', 1],
      ].map(([id, amount]) => ({
        id,
        description: expect.stringMatching(/\w.+\.$/),
        used: amount,
        limit: null,
      })),
      eachRun: { maxMemory: null, maxCpus: null, maxProcesses: null, maxTimeout: null },
    });
  });

  it('is for members, by session, token and key, and not for guests', async () => {
    const { ws } = await workspaceOn('default');
    const as = (options: { token?: string; cookie?: string }) =>
      createClient({ baseUrl: bench.gatehouse.baseUrl, workspace: ws.slug, ...options }).get(USAGE);
    const [member, guest] = [await ws.person('member'), await ws.person('guest')];
    expect((await as({ token: member.token })).status).toBe(200);
    expect((await as({ cookie: member.cookie })).status).toBe(200);
    expect((await as({ token: await ws.apiKey('production') })).status).toBe(200);
    expect((await as({ token: guest.token })).status).toBe(403);
    expect((await as({ token: await member.tokenWith({ scopes: ['workspace:read'] }) })).status).toBe(403);
    expect((await as({ token: member.token })).body.meters.at(-1)).toMatchObject({ id: 'members', used: 3 });
  });

  it('begins anew with each period, which keeps to the 31st', async () => {
    const { ws, api } = await workspaceOn('default');
    await setUsed(ws, 'runs', 7);
    expect(await used(api, 'runs')).toBe(7);
    for (const made of ['2024-01-31T22:00:00Z', '2024-02-29T01:00:00Z', '2025-05-30T00:00:00Z']) {
      await query('UPDATE workspaces SET created_at = $2 WHERE id = $1', [ws.id, made]);
      const { start, end } = usagePeriod(new Date(made), new Date());
      const before = new Date(start.getTime() - 1);
      await query('DELETE FROM usage_counters WHERE workspace_id = $1', [ws.id]);
      await query(
        `INSERT INTO usage_counters SELECT $1, 'runs', usage_period_start($2, m.at), 5
         FROM unnest($3::timestamptz[]) AS m(at)`,
        [ws.id, made, [before]],
      );
      expect(await usage(api)).toMatchObject({
        periodStart: start.toISOString(),
        periodEnd: end.toISOString(),
      });
      expect(await used(api, 'runs')).toBe(0);
    }
  });

  it('tells of limits that are near or reached', async () => {
    const { ws, api } = await workspaceOn('five_seconds');
    await setUsed(ws, 'run_seconds', 3);
    expect(await usage(api)).not.toHaveProperty('notices');
    await setUsed(ws, 'run_seconds', 4);
    expect((await usage(api)).notices).toEqual([
      expect.stringMatching(
        /^80 % of the limit are used: 4 of 5 seconds of running scripts\. The count begins anew on/,
      ),
    ]);
    await setUsed(ws, 'run_seconds', 5);
    expect((await usage(api)).notices).toEqual([expect.stringMatching(/^The limit of 5 .* is reached/)]);
    expect((await usage(api)).meters[1]).toMatchObject({ id: 'run_seconds', used: 5, limit: 5 });
  });
});

describe('a period', () => {
  it('begins for the database when it begins for us', async () => {
    const pairs = Array.from({ length: 4000 }, (_, index) => {
      const anchor = Date.UTC(2023, 0, 1) + Math.floor(Math.random() * 3 * 366 * 86_400_000);
      // Half of them at the very edges of days.
      const days = Math.floor(Math.random() * 1500);
      const midnight = Math.floor(anchor / 86_400_000) * 86_400_000 + days * 86_400_000;
      const moment = index % 2 === 0 ? anchor + days * 86_399_000 : midnight - (index % 4 === 1 ? 1 : 0);
      return [new Date(anchor), new Date(Math.max(anchor, moment))] as const;
    });
    const rows = await query<{ start: Date }>(
      `SELECT usage_period_start(p.anchor, p.moment) AS start
       FROM unnest($1::timestamptz[], $2::timestamptz[]) WITH ORDINALITY AS p(anchor, moment, n) ORDER BY n`,
      [pairs.map(([anchor]) => anchor), pairs.map(([, moment]) => moment)],
    );
    expect(rows.map(({ start }) => start.toISOString())).toEqual(
      pairs.map(([anchor, moment]) => usagePeriod(anchor, moment).start.toISOString()),
    );
  });

  it('does not depend on the time zone of a connection', async () => {
    const client = await bench.pool.connect();
    try {
      await client.query(`SET TIME ZONE 'Pacific/Kiritimati'`);
      const { rows } = await client.query(
        `SELECT usage_period_start('2027-01-31T23:30:00Z', '2027-02-28T00:00:00Z') AS start`,
      );
      expect(rows[0].start.toISOString()).toBe('2027-02-28T00:00:00.000Z');
    } finally {
      await client.query('RESET TIME ZONE');
      client.release();
    }
  });
});

describe('runs', () => {
  it('are counted with their seconds, rounded up: tests, failures and held ones, too', async () => {
    const { ws, api } = await workspaceOn('default');
    const script = await python(api, 'import sys, time; time.sleep(1.1); sys.exit(int(sys.argv[1]))', {
      command: 'python3 main.py {code}',
      inputSchema: { type: 'object', properties: { code: { type: 'integer' } } },
    });
    expect((await run(api, script, { code: 0 })).body.status).toBe('succeeded');
    expect((await run(api, script, { code: 1 })).body.status).toBe('failed');
    const test = await api.post(`/v1/scripts/${script.slug}/versions/1/runs`, { inputs: { code: 0 } });
    expect(test.body.status).toBe('succeeded');
    await api.patch(`/v1/scripts/${script.slug}`, { approvalPolicy: 'always' });
    expect((await run(api, script, { code: 0 })).body.status).toBe('awaiting_approval');
    expect(await used(api, 'runs')).toBe(4);
    const rows = await query<{ ms: number }>(
      'SELECT duration_ms AS ms FROM runs WHERE workspace_id = $1 AND duration_ms IS NOT NULL',
      [ws.id],
    );
    expect(rows).toHaveLength(3);
    expect(await used(api, 'run_seconds')).toBe(rows.reduce((sum, { ms }) => sum + Math.ceil(ms / 1000), 0));
  });

  it('that cannot start are not counted', async () => {
    const { api } = await workspaceOn('default');
    const script = await python(api, 'print(1)', {
      command: 'python3 main.py {file}',
      inputSchema: { type: 'object', properties: { file: { type: 'string', format: 'file' } } },
    });
    expect((await run(api, script, { file: `fil_${'0'.repeat(26)}` })).status).toBe(400);
    expect(await used(api, 'runs')).toBe(0);
  });

  it('are refused beyond the limit, and leave nothing behind', async () => {
    const { ws, api } = await workspaceOn('three_runs');
    const script = await python(api, 'print(1)');
    for (let count = 0; count < 3; count++) expect((await run(api, script)).status).toBe(200);
    const before = await traces(ws);
    for (const headers of [undefined, { 'idempotency-key': 'once' }]) {
      const refused = await run(api, script, {}, headers);
      expect([refused.status, refused.body.error.code]).toEqual([403, 'quota_exceeded']);
      expect(refused.body.error.message).toMatch(
        /^The plan allows 3 runs in a period, and 3 are used\. The next period begins on \d{4}-\d\d-\d\d\.$/,
      );
    }
    const test = await api.post(`/v1/scripts/${script.slug}/versions/1/runs`, {});
    expect(test.status).toBe(403);
    expect(await traces(ws)).toEqual(before);
    expect(await used(api, 'runs')).toBe(3);
    await setPlan(ws, 'default');
    expect((await run(api, script, {}, { 'idempotency-key': 'once' })).status).toBe(200);
  });

  it('are refused where the limit is nothing at all', async () => {
    const { api } = await workspaceOn('nothing');
    const script = await python(api, 'print(1)');
    expect((await run(api, script)).body.error.message).toMatch(/allows 0 runs in a period, and 0 are used/);
  });

  it('of a batch are refused together where only some would be within the limit', async () => {
    const { ws, api } = await workspaceOn('three_runs');
    const script = await python(api, 'print(1)');
    expect((await run(api, script)).status).toBe(200);
    const before = await traces(ws);
    const batch = (count: number): ReturnType<Client['post']> =>
      api.post(`/v1/scripts/${script.slug}/runs/batch`, {
        inputs: Array.from({ length: count }, () => ({})),
      });
    const refused = await batch(3);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'quota_exceeded']);
    expect(await traces(ws)).toEqual(before);
    expect(await used(api, 'runs')).toBe(1);
    expect((await batch(2)).status).toBe(202);
    expect(await used(api, 'runs')).toBe(3);
  });

  it('end an operation on many runs that goes on until the limit', async () => {
    const { api } = await workspaceOn('three_runs');
    const script = await python(api, 'print(1)');
    for (let count = 0; count < 2; count++) expect((await run(api, script)).status).toBe(200);
    const { body: asked } = await api.post('/v1/runs/rerun', { script: script.slug });
    let operation: Json = {};
    await expect
      .poll(async () => {
        operation = (await api.get(`/v1/runs/operations/${asked.id}`)).body;
        return operation.status;
      })
      .toBe('failed');
    expect(operation).toMatchObject({ matched: 2, done: 1, skipped: 0, failed: 0 });
    expect(operation.error).toMatch(/runs/);
    expect(await used(api, 'runs')).toBe(3);
    expect(await query('SELECT FROM runs WHERE script_id = $1', [script.id])).toHaveLength(3);
  });

  it('that are tried again take a run for each attempt, and end with the limit', async () => {
    const { api } = await workspaceOn('three_runs');
    const script = await python(api, 'import sys; sys.exit(75)', { retry: { attempts: 10, delay: 0 } });
    expect((await run(api, script)).body).toMatchObject({ status: 'failed', attempt: 3 });
    expect(await used(api, 'runs')).toBe(3);
  });

  it('that start at once share what is left', async () => {
    const { ws, api } = await workspaceOn('three_runs');
    const script = await python(api, 'print(1)');
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        run(api, script, {}, n % 2 ? { 'idempotency-key': `key ${n}` } : undefined),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(9);
    expect(await query('SELECT count(*)::int AS n FROM runs WHERE workspace_id = $1', [ws.id])).toEqual([
      { n: 3 },
    ]);
  });

  it('are refused once the seconds are used up', async () => {
    const { ws, api } = await workspaceOn('five_seconds');
    const script = await python(api, 'print(1)');
    await setUsed(ws, 'run_seconds', 4);
    expect((await run(api, script)).status).toBe(200);
    const refused = await run(api, script);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'quota_exceeded']);
    expect(refused.body.error.message).toMatch(
      /allows 5 seconds of running scripts in a period, and ([5-9]|\d{2,}) are used/,
    );
    expect(await used(api, 'runs')).toBe(1);
  });

  it('of triggers fail beyond the limit, saying so, and are not counted', async () => {
    const { ws, api } = await workspaceOn('three_runs');
    const script = await python(api, 'print(1)');
    const made = await api.post(`/v1/scripts/${script.slug}/triggers`, {
      name: 'When',
      eventType: 'secret.updated',
    });
    expect(made.status, made.text).toBe(201);
    await setUsed(ws, 'runs', 1);
    await bench.write(
      ws.id,
      ws.environmentId,
      Array.from({ length: 5 }, (_, n) => ({ name: `K${n}`, environment: 'production' })),
    );
    const runs = (): Promise<Json[]> =>
      query('SELECT id, status, phase, error FROM runs WHERE trigger_id = $1 ORDER BY id', [made.body.id]);
    await expect.poll(async () => (await runs()).filter(finished).length).toBe(5);
    const failed = (await runs()).filter(({ status }) => status === 'failed');
    expect(failed).toHaveLength(3);
    for (const { error } of failed)
      expect(error).toMatch(/^The plan allows 3 runs in a period, and 3 are used/);
    expect(await used(api, 'runs')).toBe(3);
    expect((await api.get(`/v1/triggers/${made.body.id}`)).body.enabled).toBe(true);
  });
});

describe('owners of a workspace near a limit', () => {
  it('are written to', { tags: 'slow' }, async () => {
    await expect.poll(() => near.mails().length).toBe(2);
    expect(near.mails().map(({ to }) => to[0])).toEqual(expect.arrayContaining(near.owners));
    const [mail] = near.mails();
    expect(mail!.headers['subject']).toBe('Acme is near a limit of its plan');
    expect(mail!.text).toMatch(/80 % of the limit are used: 4 of 5 seconds of running scripts/);
    await setUsed(near.ws, 'run_seconds', 5);
    // Another workspace's mail comes with the next round, in which this one has its second chance.
    another = await workspaceOn('small');
    expect((await upload(another.api, 950)).status).toBe(201);
  });
});

describe('files', () => {
  it('count with their bytes, each record of them, until they are deleted', async () => {
    const { ws, api } = await workspaceOn('default');
    const files = await Promise.all([100, 250].map((bytes) => upload(api, bytes)));
    expect(await used(api, 'storage_bytes')).toBe(350);
    const script = await publishedScript(
      api,
      { 'main.py': 'open("/outputs/a.txt", "w").write("x" * 40)' },
      {
        command: 'python3 main.py {file}',
        inputSchema: { type: 'object', properties: { file: { type: 'string', format: 'file' } } },
      },
    );
    const first = await run(api, script, { file: files[0]!.body.id });
    expect(first.body.status, first.text).toBe('succeeded');
    expect(await used(api, 'storage_bytes')).toBe(390);
    await run(api, script, { file: files[0]!.body.id });
    expect(await used(api, 'storage_bytes')).toBe(530);
    expect((await api.delete(`/v1/files/${files[1]!.body.id}`)).status).toBe(204);
    expect(await used(api, 'storage_bytes')).toBe(280);
    // As retention does it: with the run go its files.
    await query('DELETE FROM runs WHERE workspace_id = $1', [ws.id]);
    expect(await used(api, 'storage_bytes')).toBe(0);
  });

  it('are refused where they do not fit, and leave nothing behind', async () => {
    const { ws, api } = await workspaceOn('small');
    expect((await upload(api, 900)).status).toBe(201);
    const refused = await upload(api, 101);
    expect([refused.status, refused.body.error.code, refused.body.error.message]).toEqual([
      403,
      'quota_exceeded',
      'The plan allows 1,000 bytes of files; there are 900, and this would be 101 more.',
    ]);
    expect(await used(api, 'storage_bytes')).toBe(900);
    expect((await upload(api, 100)).status).toBe(201);
    expect((await upload(api, 1)).status).toBe(403);
    expect(await query('SELECT size FROM files WHERE workspace_id = $1 ORDER BY id', [ws.id])).toEqual([
      { size: '900' },
      { size: '100' },
    ]);
    const entries = await query(
      `SELECT FROM audit_events WHERE workspace_id = $1 AND action = 'file.uploaded'`,
      [ws.id],
    );
    expect(entries).toHaveLength(2);
  });

  it('that come at once share what is left', async () => {
    const { api } = await workspaceOn('small');
    const answers = await Promise.all(Array.from({ length: 8 }, () => upload(api, 300)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(await used(api, 'storage_bytes')).toBe(900);
  });

  it('that a run writes fail it where they do not fit', async () => {
    const { ws, api } = await workspaceOn('small');
    const script = await python(api, 'open("/outputs/a.txt", "w").write("x" * 1001); print("done")');
    const answer = await run(api, script);
    expect(answer.body).toMatchObject({ status: 'failed', output: null, files: [] });
    expect(answer.body.error).toBe(
      'its files in /outputs could not be kept: The plan allows 1,000 bytes of files; there are 0, and this would be 1,001 more.',
    );
    expect(await used(api, 'storage_bytes')).toBe(0);
    expect(await used(api, 'run_seconds')).toBeGreaterThan(0);
    expect(await query('SELECT FROM files WHERE workspace_id = $1', [ws.id])).toEqual([]);
  });
});

describe('members', () => {
  it('join as far as there is room, and one of two who join at once', async () => {
    const { ws, api } = await workspaceOn('pair');
    const tokens = await Promise.all(
      [1, 2].map(async () => {
        const email = `${randomBytes(6).toString('hex')}@example.com`;
        const { status, text } = await api.post('/v1/workspace/invitations', { email, role: 'member' });
        expect(status, text).toBe(201);
        const mail = await vi.waitUntil(() => smtp.mails.find(({ to }) => to[0] === email), 60_000);
        return /\/invitations\/(\w+)/.exec(mail.text)![1]!;
      }),
    );
    const accept = (token: string) =>
      createClient({ baseUrl: bench.gatehouse.baseUrl }).post(`/v1/invitations/${token}/accept`, {
        name: 'New Person',
        password: 'a good password',
      });
    const answers = await Promise.all(tokens.map(accept));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    const refused = answers.findIndex(({ status }) => status === 403);
    expect(answers[refused]!.body.error).toMatchObject({
      code: 'quota_exceeded',
      message: 'The plan allows 2 members; there are 2, and this would be 1 more.',
    });
    expect(await used(api, 'members')).toBe(2);
    await setPlan(ws, 'default');
    expect((await accept(tokens[refused]!)).status).toBe(200);
  });
});

describe('webhook deliveries', () => {
  it('are counted once each, and none is made beyond the limit until it allows recovering them', async () => {
    const { workspace, api, endpoint, receiver } = await bench.scene({ eventTypes: ['secret.updated'] });
    await setPlan(workspace, 'two_hooks');
    await bench.write(
      workspace.id,
      workspace.environmentId,
      Array.from({ length: 5 }, (_, n) => ({ name: `K${n}`, environment: 'production' })),
    );
    await receiver.until(2);
    await expect
      .poll(() =>
        query('SELECT FROM events WHERE workspace_id = $1 AND dispatched_at IS NULL', [workspace.id]).then(
          ({ length }) => length,
        ),
      )
      .toBe(0);
    expect(await used(api, 'webhook_deliveries')).toBe(2);
    const list = await api.get(`${endpoint.path}/deliveries`);
    expect(list.body.items).toHaveLength(2);
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const refusals = [
      await api.post(`${endpoint.path}/test`),
      await api.post(`${endpoint.path}/deliveries/${list.body.items[0].id}/redeliver`),
      await api.post(`${endpoint.path}/recover`, { since }),
    ];
    for (const { status, body } of refusals) {
      expect([status, body.error.code]).toEqual([403, 'quota_exceeded']);
      expect(body.error.message).toMatch(/allows 2 webhook deliveries in a period, and 2 are used/);
    }
    expect((await api.get(`${endpoint.path}/deliveries`)).body.items).toHaveLength(2);
    await setPlan(workspace, 'default');
    expect((await api.post(`${endpoint.path}/recover`, { since })).body).toEqual({ queued: 3 });
    await receiver.until(5);
    expect((await api.post(`${endpoint.path}/test`)).status).toBe(200);
    expect(await used(api, 'webhook_deliveries')).toBe(6);
  });
});

describe('npm run admin -- set-plan', { tags: 'slow' }, () => {
  const admin = (args: string[]) =>
    runAdmin(['set-plan', ...args], {
      DATABASE_URL: bench.gatehouse.databaseUrl,
      GATEHOUSE_DATA: bench.gatehouse.dataDirectory,
      GATEHOUSE_PLANS: JSON.stringify(PLANS),
    });

  it('gives a workspace another plan at once, and is written down', async () => {
    const { ws, api } = await workspaceOn('default');
    const { code, stdout, stderr } = await admin([ws.slug, 'three_runs']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`The workspace ${ws.slug} has the plan three_runs now; it had default.`);
    expect((await usage(api)).meters[0]).toMatchObject({ id: 'runs', limit: 3 });
    expect(
      await query(
        `SELECT actor_type AS actor, details FROM audit_events
         WHERE workspace_id = $1 AND action = 'workspace.plan_changed'`,
        [ws.id],
      ),
    ).toEqual([{ actor: 'staff', details: { plan: 'three_runs', previousPlan: 'default' } }]);
  });

  it('refuses what there is not', async () => {
    const { ws } = await workspaceOn('default');
    const refusal = async (args: string[], reason: RegExp) => ({ ...(await admin(args)), reason });
    const refusals = await Promise.all([
      refusal([ws.slug, 'gold'], /no plan "gold"\. There are: default, three_runs/),
      refusal(['no-such-workspace', 'pair'], /There is no workspace "no-such-workspace"/),
      refusal([ws.slug], /Usage/),
    ]);
    for (const { code, stdout, stderr, reason } of refusals) {
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(reason);
    }
  });

  it('leaves a workspace whose plan is not known any more on the default one', async () => {
    const { ws, api } = await workspaceOn('default');
    await setPlan(ws, 'gone');
    const script = await python(api, 'print(1)');
    await newVersion(api, script.slug, { 'main.py': 'print(2)' });
    expect((await runUntil(api, (await run(api, script)).body.id, finished)).status).toBe('succeeded');
    expect((await usage(api)).meters.map(({ limit }: Json) => limit)).toEqual(Array(6).fill(null));
  });
});

describe('owners who were written to', () => {
  it('are not again, for that meter and period', { tags: 'slow' }, async () => {
    await expect.poll(() => smtp.mails.some(({ to }) => to[0] === another.ws.owner.email)).toBe(true);
    expect(near.mails()).toHaveLength(2);
    expect((await usage(near.api)).notices).toHaveLength(1);
  });
});
