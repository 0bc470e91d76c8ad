import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import type { NestExpressApplication } from '@nestjs/platform-express';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Settings } from '../../src/core/config/settings.js';
import { type IdKind, firstIdAt, newId } from '../../src/core/crypto/ids.js';
import { ConnectionOptions } from '../../src/core/database/connection-options.js';
import { BlobStore } from '../../src/core/storage/blob-store.js';
import { FileBlobsService } from '../../src/files/file-blobs.service.js';
import { RunFilesService } from '../../src/files/run-files.service.js';
import { Loops } from '../../src/core/work/loops.js';
import { createApp } from '../../src/application.js';
import { newDatabase } from '../support/gatehouse.js';

const DAY_MS = 86_400_000;
const BEGUN = Date.now();

let app: NestExpressApplication;
let directory: string;
let sql: pg.Pool;
let workspace: string;
let environment: string;
let user: string;

/** The service in this process, on a database of its own: nobody asks for a sweep from outside. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-retention-'));
  const url = await newDatabase();
  const settings = new Settings({
    GATEHOUSE_DATA: directory,
    GATEHOUSE_ROLE: 'api',
    DATABASE_URL: url,
    GATEHOUSE_PLANS: JSON.stringify({
      short: { retentionDays: 2 },
      long: { retentionDays: 90 },
      quiet: { retention: { runs: 20, logs: 5, files: 7 } },
    }),
    GATEHOUSE_RETENTION: 'audit=400',
  });
  app = await createApp(settings, new ConnectionOptions(url, 8));
  sql = new pg.Pool({ connectionString: url, max: 8 });
  [workspace, environment, user] = [newId('workspace'), newId('environment'), newId('user')];
  await sql.query(`INSERT INTO users (id, email, name) VALUES ($1, $1, 'Olive')`, [user]);
  await sql.query(`INSERT INTO workspaces (id, slug, name) VALUES ($1, $1, 'Acme')`, [workspace]);
  await sql.query(
    `INSERT INTO environments (id, workspace_id, name, approval_policy, agents_allowed, is_default)
     VALUES ($1, $2, 'production', 'none', true, true)`,
    [environment, workspace],
  );
});

afterAll(async () => {
  await sql.end();
  await app.close();
  await rm(directory, { recursive: true, force: true });
});

let places = 0;

/** Ids of things made that many days ago, each its own. */
function idsFrom(kind: IdKind, days: number, count: number): string[] {
  const from = BEGUN - days * DAY_MS;
  return Array.from({ length: count }, () => firstIdAt(kind, new Date(from - ++places)));
}

interface RunAges {
  /** Days since it was asked for. */
  asked: number;
  /** Days since it ended; null: it has not. */
  ended: number | null;
}

async function addRuns(count: number, { asked, ended }: RunAges): Promise<string[]> {
  const ids = idsFrom('run', asked, count);
  await sql.query(
    `INSERT INTO runs (id, workspace_id, environment_id, script_id, script_slug, version_id, version, status, phase,
       inputs, by_agent, interface, test, started_at, finished_at)
     SELECT id, $2, $3, 'scr_x', 'x', 'ver_x', 1, CASE WHEN $5::float8 IS NULL THEN 'awaiting_approval' ELSE 'succeeded' END,
       CASE WHEN $5::float8 IS NULL THEN 'held' ELSE 'finished' END, '{}', false, 'api', false,
       now() - $4::float8 * interval '1 day', now() - $5::float8 * interval '1 day'
     FROM unnest($1::text[]) AS id`,
    [ids, workspace, environment, asked, ended],
  );
  await sql.query(
    `INSERT INTO run_log_chunks (run_id, first_line, lines) SELECT id, n * 10, '{a,b}'
     FROM unnest($1::text[]) AS id, generate_series(0, 4) AS n`,
    [ids],
  );
  await sql.query(
    `INSERT INTO run_planned_requests (run_id, number, at, protocol, host, method, target, headers, body_bytes)
     SELECT id, 1, now(), 'https', 'a.test', 'POST', '/', '[]', 0 FROM unnest($1::text[]) AS id`,
    [ids],
  );
  await sql.query(
    `WITH blobs AS (
       INSERT INTO file_blobs (key, check_at) SELECT 'files/' || id, now() + interval '7 days' FROM unnest($1::text[]) AS id RETURNING key
     )
     INSERT INTO run_log_parts (run_id, first_line, lines, workspace_id, size, blob_key)
     SELECT substr(key, 7), 100, 10, $2, 1000, key FROM blobs`,
    [ids, workspace],
  );
  return ids;
}

/** How many bytes of parts of logs are let go of. */
async function released(ids: readonly string[]): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM unnest($1::text[]) AS id LEFT JOIN file_blobs b ON b.key = 'files/' || id
     WHERE b.key IS NULL OR b.check_at <= now()`,
    [ids],
  );
  return rows[0]!.count;
}

async function addEvents(count: number, days: number, more = ''): Promise<string[]> {
  const ids = idsFrom('event', days, count);
  await sql.query(
    `INSERT INTO events (id, workspace_id, type, data, created_at, dispatched_at)
     SELECT id, $2, 'ping', '{"message":"x"}', now() - $3::float8 * interval '1 day', now()
     FROM unnest($1::text[]) AS id`,
    [ids, workspace, days],
  );
  await sql.query(
    `INSERT INTO trigger_firings (event_id, trigger_id) SELECT id, 'trg_x' FROM unnest($1::text[]) AS id`,
    [ids],
  );
  if (more !== '') await sql.query(more, [ids]);
  return ids;
}

async function addKeys(count: number, hours: number): Promise<void> {
  await sql.query(
    `INSERT INTO idempotency_keys (credential_id, key, fingerprint, state, instance_id, created_at)
     SELECT 'pat_x', $2 || '-' || n, '\\x00', 'responded', 'ins_x', now() - $2::float8 * interval '1 hour'
     FROM generate_series(1, $1) AS n`,
    [count, hours],
  );
}

async function left(table: string, ids: readonly string[], column = 'id'): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${table} WHERE ${column} = ANY($1)`,
    [ids],
  );
  return rows[0]!.count;
}

/** Twice, since what events fired goes only after them. */
async function sweep(): Promise<void> {
  await app.get(Loops).passNow('ExpirySweeper.sweep');
  await app.get(Loops).passNow('ExpirySweeper.sweep');
}

describe('Retention', () => {
  it('deletes what is old, whatever the number, and nothing that is younger', async () => {
    const oldRuns = await addRuns(1_050, { asked: 31.5, ended: 31 });
    const youngRuns = await addRuns(20, { asked: 29.9, ended: 29.9 });
    const heldLong = await addRuns(3, { asked: 30.5, ended: 29.7 });
    const held = await addRuns(2, { asked: 40, ended: null });
    const oldEvents = await addEvents(1_300, 30.1);
    const youngEvents = await addEvents(20, 29.9);
    await addKeys(1_100, 24.1);
    await addKeys(5, 23.9);
    await sweep();
    expect(await left('runs', oldRuns)).toBe(0);
    expect(await left('run_log_chunks', oldRuns, 'run_id')).toBe(0);
    expect([await left('run_log_parts', oldRuns, 'run_id'), await released(oldRuns)]).toEqual([0, 1_050]);
    for (const kept of [youngRuns, heldLong, held]) {
      expect(await left('runs', kept)).toBe(kept.length);
      expect(await left('run_log_chunks', kept, 'run_id')).toBe(5 * kept.length);
      expect(await left('run_log_parts', kept, 'run_id')).toBe(kept.length);
      expect(await released(kept)).toBe(0);
    }
    expect(await left('events', oldEvents)).toBe(0);
    expect(await left('trigger_firings', oldEvents, 'event_id')).toBe(0);
    expect(await left('events', youngEvents)).toBe(20);
    expect(await left('trigger_firings', youngEvents, 'event_id')).toBe(20);
    const { rows } = await sql.query(
      'SELECT count(*)::int AS count FROM idempotency_keys WHERE credential_id = $1',
      ['pat_x'],
    );
    expect(rows).toEqual([{ count: 5 }]);
  });

  it('takes what was shown of requests with their runs', async () => {
    const [approved, refused] = await addRuns(2, { asked: 31.5, ended: 31 });
    const [late] = await addRuns(1, { asked: 2, ended: 2 });
    const ask = async (runId: string, status: string): Promise<string> => {
      const id = newId('approval');
      const input = {
        ...{ method: 'POST', address: 'https://a.test/', query: 'a=1' },
        ...{ headers: ['X: 1'], body: 'amount', sha256: 'abc' },
      };
      await sql.query(
        `INSERT INTO approval_requests (id, workspace_id, environment_id, action, title, summary, input, compared_by, reason, status,
           least_role, credential_kind, run_id, expires_at, decided_by_user_id)
         VALUES ($1, $2, $3, 'request.send', '', 'Send it.', $4, 'here', '', $5, 'admin', 'system', $6, now(), $7)`,
        [id, workspace, environment, JSON.stringify(input), status, runId, user],
      );
      return id;
    };
    const gone = [await ask(approved!, 'completed'), await ask(refused!, 'denied')];
    const young = await ask(late!, 'completed');
    await sweep();
    const { rows } = await sql.query(
      `SELECT id, input, compared_by IS NOT NULL AS compared, decided_by_user_id AS decided FROM approval_requests WHERE id = ANY($1) ORDER BY id`,
      [[...gone, young]],
    );
    const left = {
      ...{ method: 'POST', address: 'https://a.test/', sha256: 'abc', query: null },
      ...{ headers: [], body: null, changes: [], isForgotten: true },
    };
    expect(rows).toEqual(
      [
        ...gone.map((id) => ({ id, input: expect.objectContaining(left), compared: false, decided: user })),
        { id: young, input: expect.objectContaining({ body: 'amount' }), compared: true, decided: user },
      ].sort((one, other) => (one.id < other.id ? -1 : 1)),
    );
  });

  it('keeps runs as long as the plan says', async () => {
    const ages = [
      { asked: 1.9, ended: 1.9 },
      { asked: 2.1, ended: 2.1 },
      { asked: 31, ended: 31 },
    ];
    const leftOn = async (plan: string): Promise<number[]> => {
      const runs = [];
      for (const age of ages) runs.push(await addRuns(1, age));
      await sql.query('UPDATE workspaces SET plan = $2 WHERE id = $1', [workspace, plan]);
      await sweep();
      return Promise.all(runs.map((ids) => left('runs', ids)));
    };
    expect(await leftOn('long')).toEqual([1, 1, 1]);
    expect(await leftOn('default')).toEqual([1, 1, 0]);
    expect(await leftOn('short')).toEqual([1, 0, 0]);
    expect(await leftOn('forgotten')).toEqual([1, 1, 0]);
    await sql.query(`UPDATE workspaces SET plan = 'default' WHERE id = $1`, [workspace]);
  });

  it('keeps runs for less long where their script says so, and never for longer', async () => {
    const scripts = { hasty: 3, patient: 3650 };
    for (const [name, runs] of Object.entries(scripts)) {
      await sql.query(
        `INSERT INTO scripts (id, workspace_id, slug, name, description, retention) VALUES ($1, $2, $1, $1, '', $3)`,
        [name, workspace, { runs }],
      );
    }
    const ofScript = async (name: string, age: RunAges, count = 1): Promise<string[]> => {
      const ids = await addRuns(count, age);
      await sql.query('UPDATE runs SET script_id = $2 WHERE id = ANY($1)', [ids, name]);
      return ids;
    };
    const gone = [
      await ofScript('hasty', { asked: 3.1, ended: 3.1 }, 250),
      await ofScript('patient', { asked: 31, ended: 31 }),
    ].flat();
    const kept = [
      await ofScript('hasty', { asked: 2.9, ended: 2.9 }),
      await ofScript('hasty', { asked: 3.5, ended: 2.9 }),
      await ofScript('hasty', { asked: 3.5, ended: null }),
      await ofScript('patient', { asked: 29, ended: 29 }),
      await addRuns(1, { asked: 3.1, ended: 3.1 }),
    ].flat();
    await sweep();
    expect(await left('runs', gone)).toBe(0);
    expect(await left('run_log_chunks', gone, 'run_id')).toBe(0);
    expect(await left('run_planned_requests', gone, 'run_id')).toBe(0);
    expect(await left('runs', kept)).toBe(kept.length);
    await sql.query('UPDATE scripts SET retention = NULL');
  });

  it('deletes logs before their runs where the plan says so, and looks at each run once', async () => {
    await sql.query(`UPDATE workspaces SET plan = 'quiet' WHERE id = $1`, [workspace]);
    const old = await addRuns(700, { asked: 6.5, ended: 6.4 });
    const late = await addRuns(1, { asked: 6.1, ended: 5.5 });
    const young = await addRuns(3, { asked: 5.9, ended: 5.9 });
    await sweep();
    expect(await left('runs', [...old, ...late, ...young])).toBe(704);
    expect(await left('run_log_chunks', [...old, ...late], 'run_id')).toBe(0);
    expect(await left('run_log_chunks', young, 'run_id')).toBe(15);
    const passedBy = [...old, ...late];
    expect(await left('run_planned_requests', passedBy, 'run_id')).toBe(0);
    expect(await left('run_planned_requests', young, 'run_id')).toBe(3);
    expect([await left('run_log_parts', passedBy, 'run_id'), await released(passedBy)]).toEqual([0, 701]);
    expect([await left('run_log_parts', young, 'run_id'), await released(young)]).toEqual([3, 0]);
    const passed = await sql.query<{ id: string }>(
      `SELECT run_id AS id FROM log_expiry WHERE plan = 'quiet'`,
    );
    expect([...old, ...late].sort().at(-1)).toBe(passed.rows[0]!.id);
    // Of a workspace on another plan, they stay as long as its runs.
    await sql.query(`UPDATE workspaces SET plan = 'default' WHERE id = $1`, [workspace]);
    const others = await addRuns(2, { asked: 6.05, ended: 6.05 });
    await sweep();
    expect(await left('run_log_chunks', others, 'run_id')).toBe(10);
  });

  it('deletes entries of the audit trail only where the operator wants it, and none of the last year', async () => {
    const add = async (days: number): Promise<string> => {
      const [id] = idsFrom('audit', days, 1);
      await sql.query(
        `INSERT INTO audit_events (id, workspace_id, action, actor_type, created_at)
         VALUES ($1, $2, 'run.started', 'system', now() - $3::float8 * interval '1 day')`,
        [id, workspace, days],
      );
      return id!;
    };
    const [old, young] = [await add(401), await add(399)];
    await sweep();
    expect([await left('audit_events', [old]), await left('audit_events', [young])]).toEqual([0, 1]);
    const recent = await add(364);
    await expect(sql.query('DELETE FROM audit_events WHERE id = ANY($1)', [[young, recent]])).rejects.toThrow(
      /append-only/,
    );
    expect(await left('audit_events', [young, recent])).toBe(2);
  });

  it('gives files the days of the plan', async () => {
    const [run] = await addRuns(1, { asked: 0, ended: 0 });
    const { key: blobKey } = await app
      .get(FileBlobsService, { strict: false })
      .write(newId('file'), Readable.from([Buffer.from('hello')]), 10);
    const daysOn = async (plan: string): Promise<number> => {
      await sql.query('UPDATE workspaces SET plan = $2 WHERE id = $1', [workspace, plan]);
      const file = { runId: run!, workspaceId: workspace, environmentId: environment, blobKey };
      const id = newId('file');
      await app
        .get(RunFilesService, { strict: false })
        .insertOutputs([{ ...file, id, name: 'x', type: 'text/plain', size: 5, sha256: 'x' }]);
      const { rows } = await sql.query<{ days: number }>(
        `SELECT round(extract(epoch FROM expires_at - now()) / 86400)::int AS days FROM files WHERE id = $1`,
        [id],
      );
      return rows[0]!.days;
    };
    expect([
      await daysOn('short'),
      await daysOn('long'),
      await daysOn('quiet'),
      await daysOn('default'),
    ]).toEqual([2, 90, 7, 30]);
  });

  it('keeps events that may still be sent, or have not been told', async () => {
    const delivered = await addEvents(
      2,
      31,
      `INSERT INTO webhook_deliveries (id, endpoint_id, event_id, event_type, status)
       SELECT 'msg_' || substr(id, 5), 'whe_x', id, 'ping', 'delivered' FROM unnest($1::text[]) AS id`,
    );
    const redelivered = await addEvents(
      2,
      31,
      `INSERT INTO webhook_deliveries (id, endpoint_id, event_id, event_type, status, redelivery_of)
       SELECT 'msg_' || substr(id, 5), 'whe_x', id, 'ping', 'failed', 'msg_x' FROM unnest($1::text[]) AS id`,
    );
    const waiting = await addEvents(
      2,
      31,
      `UPDATE events SET dispatched_at = NULL, dispatch_after = now() + interval '1 hour' WHERE id = ANY($1)`,
    );
    await sweep();
    for (const kept of [delivered, redelivered, waiting]) {
      expect(await left('events', kept)).toBe(2);
      expect(await left('trigger_firings', kept, 'event_id')).toBe(2);
    }
    await sql.query('DELETE FROM webhook_deliveries WHERE event_id = ANY($1)', [
      [...delivered, ...redelivered],
    ]);
    await sweep();
    expect(await left('events', [...delivered, ...redelivered])).toBe(0);
  });

  it('lets the bytes of a run’s files go, unless another run uses them', async () => {
    const blobs = app.get(FileBlobsService, { strict: false });
    const store = app.get(BlobStore);
    const [old] = await addRuns(1, { asked: 31, ended: 31 });
    const [young] = await addRuns(1, { asked: 1, ended: 1 });
    const addFile = async (runId: string, key: string): Promise<void> => {
      await sql.query(
        `INSERT INTO files (id, workspace_id, environment_id, direction, name, type, size, sha256, blob_key, run_id,
           expires_at)
         VALUES ($1, $2, $3, 'out', 'x', 'text/plain', 5, 'x', $4, $5, now() + interval '10 days')`,
        [newId('file'), workspace, environment, key, runId],
      );
    };
    const write = (): Promise<string> =>
      blobs.write(newId('file'), Readable.from([Buffer.from('hello')]), 10).then(({ key }) => key);
    const [own, shared] = [await write(), await write()];
    await addFile(old!, own);
    await addFile(old!, shared);
    await addFile(young!, shared);
    await sweep();
    await app.get(Loops).passNow('FilePruner.prune');
    const isStored = (key: string): Promise<boolean> =>
      store.read(key).then(
        (stream) => {
          stream.destroy();
          return true;
        },
        () => false,
      );
    expect(await Promise.all([isStored(own), isStored(shared)])).toEqual([false, true]);
    expect(await left('files', [old!], 'run_id')).toBe(0);
  });

  it('takes trials away with their archives, unless a run needs them still', async () => {
    const store = app.get(BlobStore);
    const script = newId('script');
    await sql.query(`INSERT INTO scripts (id, workspace_id, slug, name) VALUES ($1, $2, $1, 'Tried')`, [
      script,
      workspace,
    ]);
    const trial = async (minutesAgo: number): Promise<string> => {
      const id = newId('trial');
      await store.write(`trials/${id}`, Readable.from([Buffer.from('tar')]), { maxBytes: 10 });
      await sql.query(
        `INSERT INTO script_versions (id, script_id, command, input_schema, archive_key, archive_bytes,
           archive_sha256, timeout_seconds, hosts, secrets, env, created_via, trial_until)
         VALUES ($1, $2, 'true', '{}', 'trials/' || $1, 3, 'x', 30, '{}', '{}', '{}', 'cli',
           now() - $3::int * interval '1 minute')`,
        [id, script, minutesAgo],
      );
      return id;
    };
    const [old, needed, young, runnable] = [
      await trial(11),
      await trial(11),
      await trial(9),
      await trial(-60),
    ] as const;
    const [held] = await addRuns(1, { asked: 0.5, ended: null });
    await sql.query('UPDATE runs SET version_id = $2, script_id = $3 WHERE id = $1', [held, needed, script]);
    const prune = () => app.get(Loops).passNow('TrialPruner.prune');
    const kept = async () => [
      await left('script_versions', [old]),
      await left('script_versions', [needed, young, runnable]),
      await store.size(`trials/${old}`).then(
        () => true,
        () => false,
      ),
      await store.size(`trials/${needed}`),
    ];
    await prune();
    expect(await kept()).toEqual([0, 3, false, 3]);
    await sql.query(
      `UPDATE runs SET status = 'cancelled', phase = 'finished', finished_at = now() WHERE id = $1`,
      [held],
    );
    await prune();
    expect(await left('script_versions', [needed, young, runnable])).toBe(2);
  });

  it('deletes buckets and invitations that are of no use any more', async () => {
    await sql.query(
      `INSERT INTO rate_buckets (key, tokens, granted, updated_at)
       VALUES ('old', 1, 1, now() - interval '25 hours'), ('young', 1, 1, now() - interval '23 hours')`,
    );
    const invite = async (days: number): Promise<string> => {
      const id = newId('invitation');
      await sql.query(
        `INSERT INTO invitations (id, workspace_id, email, role, team_ids, token_hash, expires_at)
         VALUES ($1, $2, $1, 'member', '{}', decode(md5($1), 'hex'), now() - $3::int * interval '1 day')`,
        [id, workspace, days],
      );
      return id;
    };
    const [old, young] = [await invite(31), await invite(29)];
    await sweep();
    expect([
      await left('rate_buckets', ['old'], 'key'),
      await left('rate_buckets', ['young'], 'key'),
    ]).toEqual([0, 1]);
    expect([await left('invitations', [old]), await left('invitations', [young])]).toEqual([0, 1]);
  });

  it('lets conversations with agents go a month after the last word, with all of what was said', async () => {
    const agent = newId('agent');
    await sql.query(
      `INSERT INTO agents (id, workspace_id, slug, name, created_by_user_id) VALUES ($1, $2, 'helper', 'Helper', $3)`,
      [agent, workspace, user],
    );
    const converse = async (days: number): Promise<string> => {
      const id = newId('conversation');
      await sql.query(
        `INSERT INTO agent_conversations (id, workspace_id, agent_id, environment_id, user_id, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, now() - interval '90 days', now() - $6::int * interval '1 day')`,
        [id, workspace, agent, environment, user, days],
      );
      return id;
    };
    const [old, young] = [await converse(31), await converse(29)];
    await sweep();
    expect([await left('agent_conversations', [old]), await left('agent_conversations', [young])]).toEqual([
      0, 1,
    ]);
  });

  it('lets what came in for hooks go after a week, and the sightings of it after a day', async () => {
    const receive = async (days: number): Promise<string> => {
      const id = firstIdAt('receipt', new Date(Date.now() - days * 86_400_000));
      await sql.query(
        `INSERT INTO hook_receipts (id, workspace_id, hook_id, verdict, digest, body_bytes, headers, query)
         VALUES ($1, $2, 'hook', 'accepted', '', 0, '{}', '{}')`,
        [id, workspace],
      );
      await sql.query(
        `INSERT INTO hook_sightings (hook_id, key, created_at) VALUES ($1, '', now() - $2::int * interval '1 day')`,
        [id, days],
      );
      return id;
    };
    const [old, young, today] = [await receive(8), await receive(6), await receive(0)];
    await sweep();
    expect([await left('hook_receipts', [old]), await left('hook_receipts', [young, today])]).toEqual([0, 2]);
    expect([
      await left('hook_sightings', [old, young], 'hook_id'),
      await left('hook_sightings', [today], 'hook_id'),
    ]).toEqual([0, 1]);
  });

  it('neither waits for a lock nor makes anybody wait', async () => {
    const runs = await addRuns(2_000, { asked: 31, ended: 31 });
    const young = await addRuns(10, { asked: 1, ended: 1 });
    const events = await addEvents(5_000, 31);
    const holder = await sql.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM runs WHERE id = $1 FOR UPDATE', [runs[500]]);
    await holder.query('SELECT FROM events WHERE id = $1 FOR KEY SHARE', [events[500]]);
    let sweeping = true;
    let writes = 0;
    // Whoever would wait for longer than that fails.
    const writer = async (its: readonly string[]): Promise<void> => {
      const connection = await sql.connect();
      try {
        await connection.query(`SET lock_timeout = '250ms'`);
        while (sweeping) {
          const id = newId('event');
          await connection.query(
            `INSERT INTO events (id, workspace_id, type, data, dispatched_at) VALUES ($1, $2, 'ping', '{"message":"x"}', now())`,
            [id, workspace],
          );
          const run = its[writes % its.length];
          await connection.query('UPDATE runs SET log_lines = log_lines + 1 WHERE id = $1', [run]);
          await connection.query(
            `INSERT INTO idempotency_keys (credential_id, key, fingerprint, state, instance_id)
             VALUES ('pat_y', $1, '\\x00', 'responded', 'ins_x')`,
            [id],
          );
          writes++;
        }
      } finally {
        await connection.query('RESET lock_timeout');
        connection.release();
      }
    };
    const writers = Promise.all([writer(young.slice(0, 5)), writer(young.slice(5))]);
    await sweep().finally(() => {
      sweeping = false;
    });
    await writers;
    expect(writes).toBeGreaterThan(20);
    expect(await left('runs', runs)).toBe(1);
    expect(await left('events', events)).toBe(1);
    expect(await left('runs', young)).toBe(10);
    await holder.query('ROLLBACK');
    holder.release();
    await sweep();
    expect([await left('runs', runs), await left('events', events)]).toEqual([0, 0]);
  });

  it('leaves it to the process that is at it', async () => {
    const runs = await addRuns(5, { asked: 31, ended: 31 });
    const other = await sql.connect();
    await other.query('BEGIN');
    await other.query(
      `SELECT pg_advisory_xact_lock(hashtextextended('gatehouse RunExpiryRepository.deleteOld', 0))`,
    );
    await sweep();
    expect(await left('runs', runs)).toBe(5);
    await other.query('COMMIT');
    other.release();
    await sweep();
    expect(await left('runs', runs)).toBe(0);
  });

  it('finds what is old by an index', async () => {
    const plan = async (query: string): Promise<string> => {
      const connection = await sql.connect();
      try {
        await connection.query('BEGIN');
        // With few rows a scan is cheaper, which says nothing.
        await connection.query('SET LOCAL enable_seqscan = off');
        const { rows } = await connection.query(`EXPLAIN ${query}`);
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      } finally {
        await connection.query('ROLLBACK');
        connection.release();
      }
    };
    const bound = firstIdAt('run', new Date());
    expect(
      await plan(
        `SELECT id FROM runs WHERE workspace_id = 'x' AND id < json_build_object('b', '${bound}') ->> 'b' AND phase = 'finished' ORDER BY id LIMIT 1`,
      ),
    ).toMatch(/Index Cond: \(\(workspace_id = 'x'::text\) AND \(id </);
    expect(
      await plan(`SELECT id FROM invitations WHERE expires_at < now() ORDER BY expires_at LIMIT 1`),
    ).toMatch(/invitations_expiry/);
  });
});
