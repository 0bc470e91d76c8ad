import { beforeAll, describe, expect, it } from 'vitest';

import type { Answer, Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { python, run, type TestScript } from '../support/scripts.js';

const KEYS = '/v1/workspace/api-keys';
const TOKENS = '/v1/account/tokens';
const IN_A_YEAR = new Date(Date.now() + 365 * 86_400_000).toISOString();

let workspace: TestWorkspace;
let app: Client;
let script: TestScript;

beforeAll(async () => {
  workspace = await newWorkspace();
  app = client({ cookie: workspace.owner.cookie, workspace: workspace.slug });
  script = await python(app, 'print(1)');
});

const keyed = (name: string): Promise<Json> =>
  app.get(KEYS).then(({ body }) => body.items.find((item: Json) => item.name === name));
const challenge = ({ headers }: Answer): string | null => headers.get('www-authenticate');

describe('an API key with scopes', () => {
  it('is shown with them, in the order in which they were given', async () => {
    const scopes = ['runs:write', 'mcp', 'runs:read'];
    const made = await app.post(KEYS, { name: 'narrow', scopes, expiresAt: IN_A_YEAR });
    expect([made.status, made.body.scopes, made.body.expiresAt]).toEqual([201, scopes, IN_A_YEAR]);
    const { key: _, ...record } = made.body;
    expect(await keyed('narrow')).toEqual(record);
    const { rows } = await database().query('SELECT action, details FROM audit_events WHERE target_id = $1', [
      record.id,
    ]);
    const details = { name: 'narrow', environment: null, scopes, expiresAt: IN_A_YEAR };
    expect(rows).toEqual([{ action: 'api_key.created', details }]);
  });

  it('does what they say and nothing else', async () => {
    const api = client({ token: await workspace.apiKey(null, { scopes: ['runs:write', 'runs:read'] }) });
    expect((await run(api, script)).status).toBeLessThan(300);
    expect((await api.get('/v1/runs')).status).toBe(200);
    const refused = await api.get('/v1/scripts');
    expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden']);
    expect(refused.body.error.message).toContain('scripts:read');
    expect(challenge(refused)).toBe('Bearer error="insufficient_scope", scope="scripts:read"');
    const closed = await api.get('/v1/workspace/event-types');
    expect([closed.status, challenge(closed)]).toEqual([403, 'Bearer error="insufficient_scope"']);
  });

  it('may do as before where there are none', async () => {
    const api = client({ token: await workspace.apiKey() });
    for (const path of ['/v1/scripts', '/v1/runs', '/v1/workspace/event-types', '/v1/workspace/members'])
      expect([path, (await api.get(path)).status]).toEqual([path, 200]);
  });

  it('is asked for by a token, in words that a person can judge', async () => {
    const asker = client({ token: workspace.owner.token, workspace: workspace.slug });
    const ask = (by: Client, input: object) =>
      by.post('/v1/workspace/approval-requests', { action: 'api_key.create', input, reason: 'A test' });
    const limits = { scopes: ['mcp', 'runs:write'], expiresAt: IN_A_YEAR };
    const asked = await ask(asker, { name: 'Bot', ...limits });
    expect(asked.body.summary).toBe(
      `Make the API key Bot, which acts as an admin in every environment, within the scopes mcp, runs:write (so that a model may use it at /mcp), until ${IN_A_YEAR}. It may do more than the token that asks for it.`,
    );
    expect((await app.post(`/v1/workspace/approval-requests/${asked.body.id}/approve`)).status).toBe(200);
    const redeemed = await asker.post(`/v1/workspace/approval-requests/${asked.body.id}/redeem`);
    expect(redeemed.body.request.result).toMatchObject({ name: 'Bot', ...limits });
    const narrow = client({
      token: await workspace.owner.tokenWith({ scopes: ['workspace.approvals:write'] }),
      workspace: workspace.slug,
    });
    const more = await ask(narrow, { name: 'All' });
    expect(more.body.summary).toBe(
      'Make the API key All, which acts as an admin in every environment. It may do more than the token that asks for it.',
    );
    const refused = await ask(asker, { name: 'No', scopes: ['runs:all'] });
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'input.scopes.0']);
  });
});

describe('the last use of a key or token', () => {
  it('is told with the address that it came from', { tags: 'slow' }, async () => {
    const address = '203.0.113.77';
    const began = Date.now();
    const key = await workspace.apiKey(null, { scopes: ['runs:read'] });
    const token = await workspace.owner.tokenWith({ scopes: ['runs:read'] });
    // As it comes to a server that listens for IPv6 as well.
    const from = { 'x-forwarded-for': `::ffff:${address}` };
    await client({ token: key, headers: from }).get('/v1/runs');
    await client({ token, workspace: workspace.slug, headers: from }).get('/v1/runs');
    const seen = async () => {
      const keys = (await app.get(KEYS)).body.items as Json[];
      const tokens = (await app.get(TOKENS)).body.items as Json[];
      const of = (items: Json[], secret: string) => items.find(({ last4 }) => last4 === secret.slice(-4));
      return [of(keys, key)?.lastUsedAddress, of(tokens, token)?.lastUsedAddress];
    };
    await expect.poll(seen).toEqual([address, address]);
    const used = (await app.get(KEYS)).body.items.find((item: Json) => item.lastUsedAddress === address);
    expect(Date.parse(used.lastUsedAt)).toBeGreaterThan(began - 60_000);
  });
});

describe('a key that has expired', () => {
  it('is refused with the moment at which it ended, and stays in the list', async () => {
    const token = await workspace.apiKey(null, { expiresAt: IN_A_YEAR });
    const { rows } = await database().query(
      `UPDATE api_keys SET expires_at = now() - interval '1 hour' WHERE workspace_id = $1 AND last4 = $2
       RETURNING expires_at AS "endedAt", id`,
      [workspace.id, token.slice(-4)],
    );
    const endedAt = (rows[0].endedAt as Date).toISOString();
    for (const path of ['/v1/workspace', '/v1/runs']) {
      const answer = await client({ token }).get(path);
      expect([answer.status, answer.body.error.code]).toEqual([401, 'unauthorized']);
      expect(answer.body.error.message).toContain(`This credential ended at ${endedAt}.`);
      expect(challenge(answer)).toBe('Bearer error="invalid_token"');
    }
    const listed = (await app.get(KEYS)).body.items.find(({ id }: Json) => id === rows[0].id);
    expect(listed.expiresAt).toBe(endedAt);
    // Once it is revoked, nobody is told any more that there was one.
    expect((await app.delete(`${KEYS}/${rows[0].id}`)).status).toBe(204);
    const revoked = await client({ token }).get('/v1/runs');
    expect([revoked.status, revoked.body.error.message]).toEqual([401, expect.not.stringContaining('ended')]);
  });
});
