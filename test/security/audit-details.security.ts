import { beforeAll, describe, expect, it } from 'vitest';

import type { Json, TestWorkspace } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { connect } from '../support/oauth.js';
import { publishedScript } from '../support/scripts.js';

const AUDIT = '/v1/workspace/audit-events';
const VALUE = 'V4lue-0f-a-s3cret-that-nobody-reads';

let workspace: TestWorkspace;
/** What the service has handed out, or was told in confidence. */
const secrets: string[] = [VALUE];

/** A workspace in which everything was done that handles a credential. */
beforeAll(async () => {
  workspace = await newWorkspace();
  const { owner, slug } = workspace;
  const app = client({ cookie: owner.cookie, workspace: slug });
  const made = async (path: string, body: Json, field: string): Promise<Json> => {
    const answer = await app.post(path, body);
    expect(answer.status, answer.text).toBeLessThan(300);
    const value = (answer.body as Json)[field] as string;
    expect(value.length).toBeGreaterThan(10);
    secrets.push(value);
    return answer.body as Json;
  };
  await made('/v1/workspace/api-keys', { name: 'ci', scopes: ['runs:read'] }, 'key');
  await made('/v1/account/tokens', { name: 'laptop', scopes: ['runs:read'] }, 'token');
  const hook = 'https://hooks.example.com/services/T0p-s3cret-path';
  const { endpoint } = await made('/v1/workspace/webhook-endpoints', { url: hook }, 'secret');
  secrets.push('T0p-s3cret-path');
  const path = `/v1/workspace/webhook-endpoints/${(endpoint as Json).id}`;
  await made(`${path}/rotate-secret`, {}, 'secret');
  await app.patch(path, { url: `${hook}/another` });
  await app.put('/v1/workspace/secrets/KEY', { value: VALUE, hosts: ['api.example.com'] });
  const script = await publishedScript(
    app,
    { 'main.py': 'print(1)' },
    {
      inputSchema: { type: 'object', additionalProperties: true },
      hosts: ['api.example.com'],
      secrets: { KEY: { host: 'api.example.com', header: 'x-key' } },
    },
  );
  const inputs = { password: VALUE };
  const schedule = { name: 'nightly', cron: '0 0 1 1 *', inputs };
  const scheduled = await app.post(`/v1/scripts/${script.slug}/schedules`, schedule);
  expect(scheduled.status, scheduled.text).toBe(201);
  await app.patch(`/v1/schedules/${scheduled.body.id}`, { inputs: { password: `${VALUE} 2` } });
  const trigger = { name: 'on', eventType: 'ping', filter: { message: VALUE }, inputs };
  expect((await app.post(`/v1/scripts/${script.slug}/triggers`, trigger)).status).toBe(201);
  await app.post(`/v1/scripts/${script.slug}/runs`, { inputs });
  const invited = await app.post('/v1/workspace/invitations', { email: 'new@example.com', role: 'member' });
  expect(invited.status, invited.text).toBeLessThan(300);
  const link = (invited.body as { link?: string; url?: string }).link ?? invited.body.url;
  if (link) secrets.push(new URL(link).pathname.split('/').at(-1)!);
  secrets.push((await connect(owner, { workspace: slug })).access_token);
});

async function entries(api: {
  get: (path: string) => Promise<{ status: number; body: Json; text: string }>;
}) {
  const { status, body, text } = await api.get(`${AUDIT}?limit=100`);
  expect(status, text).toBe(200);
  return { items: body.items as Json[], text };
}

describe('details of the audit trail', () => {
  it('have no credential, no value of a secret, and nothing that a run was given', async () => {
    const { owner, slug } = workspace;
    const { items, text } = await entries(client({ cookie: owner.cookie, workspace: slug }));
    expect(items.filter(({ details }) => Object.keys(details).length > 0).length).toBeGreaterThan(10);
    for (const secret of secrets) expect(text).not.toContain(secret);
    const { rows } = await database().query<{ text: string }>(
      'SELECT details::text AS text FROM audit_events WHERE workspace_id = $1',
      [workspace.id],
    );
    // Nor is any of it stored there.
    for (const secret of secrets) expect(rows.map((row) => row.text).join('\n')).not.toContain(secret);
    const changed = items.find(({ action }) => action === 'schedule.updated')!;
    expect(changed.details).toEqual({
      script: expect.any(String) as unknown,
      title: expect.any(String) as unknown,
      inputs: 'changed',
    });
  });

  it('keep to themselves what concerns an account alone, and what nobody has decided', async () => {
    const { owner, slug } = workspace;
    const add = (action: string, details: object) =>
      database().query(
        `INSERT INTO audit_events (id, workspace_id, action, actor_type, target_type, target_id, details)
         VALUES ('aud_' || md5(random()::text), $1, $2, 'system', 'user', $3, $4)`,
        [workspace.id, action, owner.id, details],
      );
    const session = client({ cookie: owner.cookie, workspace: slug });
    // An action that an earlier version had, or an extension that is gone.
    await add('gone.happened', { name: 'Theirs' });
    const find = async (wanted: string) =>
      (await entries(session)).items.find(({ action }) => action === wanted)?.details as unknown;
    expect(await find('gone.happened')).toEqual({});
    await add('user.disabled', { sessions: 3, tokens: 2, apps: 1, way: 'company' });
    expect(await find('user.disabled')).toEqual({ way: 'company' });
  });

  it('are not told to an app that may not know of all scripts', async () => {
    const { access_token: token } = await connect(workspace.owner, {
      workspace: workspace.slug,
      scopes: ['workspace.audit:read'],
      scriptTags: ['for-agents'],
    });
    const { items } = await entries(client({ token }));
    expect(items.length).toBeGreaterThan(5);
    for (const { details } of items) expect(details).toEqual({});
  });
});
