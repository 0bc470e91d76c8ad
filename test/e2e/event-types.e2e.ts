import { describe, expect, it } from 'vitest';

import type { Json } from '../../libs/testing/index.js';
import { newId } from '../../src/core/crypto/ids.js';
import { eventDataCheck } from '../../src/core/outbox/event-catalogue.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';

describe('GET /v1/workspace/event-types', () => {
  it('lists every type with its schema and an example that fits, to guests and without a scope', async () => {
    const workspace = await newWorkspace();
    const guest = await workspace.person('guest');
    const token = await guest.tokenWith({ scopes: ['runs:read'] });
    const { status, body } = await client({ token, workspace: workspace.slug }).get(
      '/v1/workspace/event-types',
    );
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['items']);
    const types = body.items.map(({ type }: Json) => type);
    expect(types).toEqual([...types].sort());
    expect(types).toEqual(
      expect.arrayContaining([
        'environment.updated',
        'run.awaiting_approval',
        'run.cancelled',
        'run.failed',
        'run.started',
        'run.succeeded',
        'script.archived',
        'script.created',
        'script.published',
        'secret.updated',
      ]),
    );
    for (const item of body.items) {
      expect(Object.keys(item)).toEqual(['type', 'description', 'environmentScoped', 'schema', 'example']);
      expect(eventDataCheck(item.schema)(item.example), item.type).toBeNull();
    }
    const scoped = Object.fromEntries(body.items.map((item: Json) => [item.type, item.environmentScoped]));
    expect(scoped).toMatchObject({
      'run.failed': true,
      'environment.updated': false,
      'script.created': false,
    });
  });

  it('refuses nobody but strangers, and takes no query', async () => {
    const workspace = await newWorkspace();
    const api = client({ token: workspace.owner.token, workspace: workspace.slug });
    expect((await client().get('/v1/workspace/event-types')).status).toBe(401);
    expect((await api.get('/v1/workspace/event-types?limit=2')).status).toBe(400);
    expect((await client({ token: await workspace.apiKey() }).get('/v1/workspace/event-types')).status).toBe(
      200,
    );
  });
});

describe('The outbox', () => {
  it('is emptied within moments, also of what nobody was told of', async () => {
    const workspace = await newWorkspace();
    const id = newId('event');
    await database().query(
      `INSERT INTO events (id, workspace_id, type, data) VALUES ($1, $2, 'script.created', $3)`,
      [
        id,
        workspace.id,
        {
          script: { id: 's', slug: 's', name: 's' },
          version: null,
          by: { userId: null, credentialType: null, credentialName: null },
        },
      ],
    );
    const isDispatched = async (): Promise<boolean> =>
      (await database().query('SELECT dispatched_at FROM events WHERE id = $1', [id])).rows[0]
        .dispatched_at !== null;
    await expect.poll(isDispatched).toBe(true);
  });
});
