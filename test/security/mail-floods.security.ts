import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Client, Seed, type TestWorkspace, createClient } from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';
import { python, type TestScript } from '../support/scripts.js';

const ADMINS = 9;
const RUNS = 60;
/** What is told at once, before it is told once a minute. */
const BURST = 5;
const MAIL_MS = 100;

let smtp: MailServer;
let env: Record<string, string>;
let house: Awaited<ReturnType<typeof startGatehouse>>;
let pool: pg.Pool;
let workspace: TestWorkspace;
let api: Client;
let script: TestScript;

beforeAll(async () => {
  smtp = await startMailServer({ onMailFrom: (_, __, done) => void sleep(MAIL_MS).then(() => done()) });
  env = {
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    GATEHOUSE_SIGNUP: 'open',
    GATEHOUSE_RATE_LIMIT: '0',
  };
  house = await startGatehouse({ env });
  pool = new pg.Pool({ connectionString: house.databaseUrl, max: 2 });
  workspace = await new Seed(house.baseUrl, pool).workspace();
  for (let made = 0; made < ADMINS; made++) await workspace.person('admin');
  api = createClient({ baseUrl: house.baseUrl, token: workspace.owner.token, workspace: workspace.slug });
  script = await python(api, 'pass');
  await api.patch(`/v1/scripts/${script.slug}`, { approvalPolicy: 'always' });
});

afterAll(async () => {
  await pool?.end();
  await house?.stop();
  await smtp?.stop();
});

/** How many requests each of the mails to the owner tells of. */
function countsToOwner(): number[] {
  const own = smtp.mails.filter(({ to }) => to.includes(workspace.owner.email));
  const subjects = own
    .map(({ headers }) => headers['subject']!)
    .filter((text) => text.startsWith('Approval'));
  return subjects.map((subject) => Number(/: (\d+) requests$/.exec(subject)?.[1] ?? 1));
}

/** What was told and is not yet noted, what is being told of, and mails that are not sent. */
async function underWay(): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT ((SELECT count(*) FROM events WHERE dispatched_at IS NULL) + (SELECT count(*) FROM mails)
       + (SELECT count(*) FROM approval_notices WHERE notice_id IS NOT NULL))::int AS count`,
  );
  return rows[0]!.count;
}

const sum = (counts: number[]): number => counts.reduce((all, one) => all + one, 0);

describe('a flood of runs that wait for approval', () => {
  it('is few mails to each who may decide, all runs told, and makes nobody’s new password late', async () => {
    for (let started = 0; started < RUNS; started += 10) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => api.post(`/v1/scripts/${script.slug}/runs`, {})),
      );
      for (const { status, text } of answers) expect(status, text).toBe(202);
    }
    const stranger = await new Seed(house.baseUrl, pool).workspace();
    const anybody = createClient({ baseUrl: house.baseUrl });
    expect((await anybody.post('/v1/auth/forgot', { email: stranger.owner.email })).status).toBeLessThan(300);
    const arrived = () => smtp.mails.some(({ to }) => to.includes(stranger.owner.email));
    await expect.poll(arrived, { interval: 20 }).toBe(true);

    await expect.poll(() => countsToOwner().length).toBeGreaterThanOrEqual(BURST);
    await expect.poll(underWay).toBe(0);
    expect(countsToOwner().length).toBeLessThanOrEqual(BURST + 1);
    // As if a minute had passed: the rest is one mail.
    const before = countsToOwner().length;
    await pool.query('UPDATE approval_notice_turns SET next_at = now()');
    await expect.poll(() => sum(countsToOwner())).toBe(RUNS);
    expect(countsToOwner().length).toBeLessThanOrEqual(before + 1);
  });
});

describe('thousands of mails of one workspace', () => {
  it('let those of accounts go first, and of others in between', async () => {
    const other = await new Seed(house.baseUrl, pool).workspace();
    await pool.query(
      `INSERT INTO mails (id, workspace_id, message, due_at)
       SELECT 'mal_' || lpad(n::text, 26, '0'), $1, '\\x00', now() - interval '1 hour' FROM generate_series(1, 5000) AS n`,
      [workspace.id],
    );
    const there = createClient({ baseUrl: house.baseUrl, token: other.owner.token, workspace: other.slug });
    const invited = await there.post('/v1/workspace/invitations', {
      email: 'new@example.com',
      role: 'member',
    });
    expect(invited.status, invited.text).toBe(201);
    const arrived = () => smtp.mails.some(({ to }) => to.includes('new@example.com'));
    await expect.poll(arrived, { interval: 20 }).toBe(true);
    const { rows } = await pool.query('SELECT count(*)::int AS count FROM mails WHERE attempts = 0');
    expect(rows[0].count, 'the flood was over too early to tell').toBeGreaterThan(1_000);
    await pool.query('DELETE FROM mails');
  });
});

describe('hundreds of tokens of one person that end from minute to minute', () => {
  it('are one mail, which names some and counts the others', { tags: 'slow' }, async () => {
    const { owner } = await new Seed(house.baseUrl, pool).workspace();
    const made = await pool.query(
      `INSERT INTO personal_tokens (id, user_id, name, scopes, hash, last4, created_at, expires_at)
       SELECT 'flood_' || n, $1, 'flood ' || n, '{runs:read}', sha256(n::text::bytea), 'abcd',
         now() - interval '90 days', now() + interval '6 days 23 hours' + n * interval '1 minute'
       FROM generate_series(1, 200) AS n`,
      [owner.id],
    );
    expect(made.rowCount).toBe(200);
    const about = () => smtp.mails.filter(({ to }) => to.includes(owner.email));
    // One that has just been started looks at once, where the other does so each minute.
    const second = await startGatehouse({ env: { ...env, DATABASE_URL: house.databaseUrl } });
    await expect.poll(() => about().length, { timeout: 80_000 }).toBeGreaterThan(0);
    const waiting = async () => (await pool.query('SELECT id FROM mails')).rowCount;
    await expect.poll(waiting).toBe(0);
    await second.stop();
    expect(about().map(({ headers }) => headers['subject'])).toEqual([
      expect.stringMatching(/^200 personal access tokens end, the first on /),
    ]);
    expect(about()[0]!.text.match(/"flood \d+"/g)).toHaveLength(20);
    expect(about()[0]!.text).toContain('and 180 more');
  });
});
