import { startGatehouse as startInProcess, type TestGatehouse } from '@gatehouse/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createClient, firstRun } from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';
import { type MailServer, startMailServer } from '../support/mail-server.js';

const DAY_MS = 86_400_000;
const KEYS = '/v1/workspace/api-keys';
const TOKENS = '/v1/account/tokens';

describe('whoever has made a key or token', () => {
  let mail: MailServer;
  let gatehouse: TestGatehouse;

  beforeAll(async () => {
    mail = await startMailServer();
    const env = { SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: 'gate@example.com' };
    gatehouse = await startInProcess({ env });
  });
  afterAll(async () => {
    await gatehouse?.stop();
    await mail?.stop();
  });

  it('is told a week before it ends, once, and then it ends', { tags: 'slow' }, async () => {
    const { api, clock, workspace } = gatehouse;
    const admin = await workspace.person('admin');
    const leaver = await workspace.person('admin');
    const disabled = await workspace.person('admin');
    const now = (await clock.now()).getTime();
    const inDays = (days: number) => new Date(now + days * DAY_MS).toISOString();
    const key = (await api.as(admin).post(KEYS, { name: 'Nightly', expiresAt: inDays(30) })).body;
    const orphan = (await api.as(leaver).post(KEYS, { name: 'Orphan', expiresAt: inDays(30) })).body;
    expect((await api.as(disabled).post(KEYS, { name: 'Parked', expiresAt: inDays(30.5) })).status).toBe(201);
    const token = (
      await api.as(admin).post(TOKENS, { name: 'Laptop', scopes: ['runs:read'], expiresAt: inDays(30) })
    ).body;
    // Whoever makes one for three days knows that it ends.
    expect((await api.as(admin).post(KEYS, { name: 'Short', expiresAt: inDays(3) })).status).toBe(201);
    const revoked = (await api.as(admin).post(KEYS, { name: 'Revoked', expiresAt: inDays(30) })).body;
    expect((await api.as(admin).delete(`${KEYS}/${revoked.id}`)).status).toBe(204);
    const gone = await gatehouse.database.query(`DELETE FROM memberships WHERE user_id = $1`, [leaver.id]);
    expect(gone.rowCount).toBe(1);
    await gatehouse.database.query('UPDATE users SET disabled_at = now() WHERE id = $1', [disabled.id]);

    const about = () =>
      mail.mails
        .filter(({ headers }) => /ends on|end, the first on/.test(headers['subject']!))
        .map(({ to }) => to[0]);
    await clock.forward('22 days 23 hours');
    expect(about()).toEqual([]);

    await clock.forward('2 hours');
    // Of those whose makers have left or are disabled, the owners hear at once, also of what ends half a day later.
    const told = [admin.email, admin.email, workspace.owner.email].sort();
    await expect.poll(() => about().sort()).toEqual(told);
    const ofKey = mail.mails.find(({ headers }) => headers['subject']?.includes('API key Nightly'))!;
    expect(ofKey.headers['subject']).toBe(`The API key Nightly ends on ${inDays(30).slice(0, 10)}`);
    expect(ofKey.text).toContain(`"Nightly" (…${key.last4}) ends at ${inDays(30)}`);
    expect(ofKey.text).toContain(`/w/${workspace.slug}/-/settings/api-keys`);
    expect(ofKey.text).not.toContain(key.key);
    const toOwner = mail.mails.find(({ to }) => to[0] === workspace.owner.email)!;
    expect(toOwner.headers['subject']).toBe(`2 API keys end, the first on ${inDays(30).slice(0, 10)}`);
    expect(toOwner.text).toMatch(/"Orphan".*\s+.*"Parked"/);

    await clock.forward('2 days');
    await gatehouse.passNow('ApiKeyExpiryMailer.tell');
    await gatehouse.passNow('PersonalTokenExpiryMailer.tell');
    expect((await api.as(key.key).get('/v1/runs')).status).toBe(200);

    await clock.forward('6 days');
    for (const [secret, endedAt] of [
      [key.key, key.expiresAt],
      [orphan.key, orphan.expiresAt],
      [token.token, token.expiresAt],
    ]) {
      const refused = await api.as(secret).get('/v1/runs');
      expect([refused.status, refused.body.error.message]).toEqual([401, expect.stringContaining(endedAt)]);
    }
    expect(about().sort()).toEqual(told);
  });
});

describe('with several copies', () => {
  it('is told once all the same', { tags: 'slow' }, async () => {
    const first = await startGatehouse();
    const mail = await startMailServer();
    const pool = new pg.Pool({ connectionString: first.databaseUrl, max: 2, allowExitOnIdle: true });
    const copies: Awaited<ReturnType<typeof startGatehouse>>[] = [];
    try {
      const { baseUrl } = first;
      const { email, password, workspace } = await firstRun(first);
      const login = await createClient({ baseUrl }).post('/v1/auth/login', { email, password });
      const cookie = login.headers.get('set-cookie')!.split(';')[0]!;
      const app = createClient({ baseUrl, cookie, workspace: workspace! });
      const expiresAt = new Date(Date.now() + 5 * DAY_MS).toISOString();
      for (let n = 0; n < 20; n++) {
        const made = await app.post(KEYS, { name: `key ${n}`, expiresAt });
        expect(made.status, made.text).toBe(201);
      }
      await pool.query(
        `UPDATE api_keys SET created_at = now() - interval '90 days' WHERE expires_at IS NOT NULL`,
      );
      const env = {
        DATABASE_URL: first.databaseUrl,
        SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
        MAIL_FROM: 'gate@example.com',
      };
      copies.push(...(await Promise.all([0, 1].map(() => startGatehouse({ env })))));
      const looked = async () => {
        const metrics = await Promise.all(copies.map((copy) => fetch(new URL('/metrics', copy.baseUrl))));
        const texts = await Promise.all(metrics.map((response) => response.text()));
        return texts.every((text) =>
          /loop_pass_duration_seconds_count{[^}]*ApiKeyExpiryMailer\.tell[^}]*} [1-9]/.test(text),
        );
      };
      await expect.poll(looked).toBe(true);
      const waiting = async () => (await pool.query('SELECT id FROM mails')).rowCount;
      await expect.poll(waiting).toBe(0);
      const named = mail.mails.flatMap(({ text }) => text.match(/"key \d+"/g) ?? []);
      expect([named.length, new Set(named).size, mail.mails.length]).toEqual([20, 20, 1]);
    } finally {
      await Promise.all(copies.map((copy) => copy.stop()));
      await pool.end();
      await first.stop();
      await mail.stop();
    }
  });
});
