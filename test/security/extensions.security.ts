import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  Access,
  Extension,
  InWorkspace,
  NeedsConfirmation,
  type WorkspaceCaller,
} from '@gatehouse/extension';
import { createClient, type TestGatehouse, startGatehouse } from '@gatehouse/testing';
import { Controller, Module, Post } from '@nestjs/common';

import TicketsExtension from '../../examples/tickets/tickets.extension.js';
import { Seed, type TestWorkspace } from '../../libs/testing/index.js';

@Controller('/v1/keys/theirs')
class KeysController {
  @Access({ role: 'admin' })
  @NeedsConfirmation()
  @Post()
  make(@InWorkspace() { workspace }: WorkspaceCaller): { made: string } {
    return { made: workspace.slug };
  }
}

@Extension({ name: 'keys' })
@Module({ controllers: [KeysController] })
class KeysExtension {}

describe('a route of an extension that gives somebody a credential', () => {
  it('asks for a sign-in of the last hour, as ours do', { tags: 'slow' }, async () => {
    const gatehouse = await startGatehouse({ extensions: [KeysExtension] });
    try {
      const { owner } = gatehouse.workspace;
      const { cookie } = owner;
      const app = createClient({ baseUrl: gatehouse.baseUrl, cookie, workspace: gatehouse.workspace.slug });
      expect((await app.post('/v1/keys/theirs')).status).toBe(201);
      await gatehouse.database.query(
        `UPDATE sessions SET confirmed_at = now() - interval '61 minutes' WHERE user_id = $1`,
        [owner.id],
      );
      const { status, body } = await app.post('/v1/keys/theirs');
      expect([status, body.error?.code]).toEqual([403, 'confirmation_required']);
    } finally {
      await gatehouse.stop();
    }
  });
});

/** A route of an extension is no way around what holds for all routes. */
describe('the routes of an extension', () => {
  let gatehouse: TestGatehouse;
  let other: TestWorkspace;

  beforeAll(async () => {
    gatehouse = await startGatehouse({ extensions: [TicketsExtension] });
    other = await new Seed(gatehouse.baseUrl, gatehouse.database).workspace();
  });

  afterAll(() => gatehouse?.stop());

  it('are for nobody without a good credential', async () => {
    const { baseUrl } = gatehouse;
    const bad = [{}, { token: 'svc_pat_nonsense' }, { cookie: 'gatehouse_session=nonsense' }];
    for (const credential of bad) {
      const api = createClient({ baseUrl, workspace: gatehouse.workspace.slug, ...credential });
      expect((await api.get('/v1/tickets')).status).toBe(401);
      expect((await api.post('/v1/tickets', { title: 'Mine' })).status).toBe(401);
    }
    expect((await gatehouse.events()).filter(({ type }) => type === 'tickets.opened')).toEqual([]);
  });

  it('know nothing of other workspaces', async () => {
    const { api, workspace } = gatehouse;
    const theirs = api.as(other.owner, other);
    expect((await theirs.post('/v1/tickets', { title: 'Theirs' })).status).toBe(201);
    expect((await api.as(workspace.owner).get('/v1/tickets')).body.items).toEqual([]);
    expect((await api.as(workspace.owner, other).get('/v1/tickets')).status).toBe(403);
    const cursor = (await theirs.post('/v1/tickets', { title: 'More' })).status === 201;
    const { body } = await theirs.get('/v1/tickets?limit=1');
    expect(cursor && body.nextCursor).toEqual(expect.any(String));
    const stolen = await api.as(workspace.owner).get(`/v1/tickets?cursor=${body.nextCursor}`);
    expect(stolen.status).toBe(400);
  });

  it('check what is sent as ours do, and repeat nothing', async () => {
    const api = gatehouse.api.as(gatehouse.workspace.owner);
    const unknown = await api.post('/v1/tickets', { title: 'Mine', workspaceId: other.id });
    expect(unknown.status).toBe(400);
    expect(unknown.body.error.details).toMatchObject([{ path: 'workspaceId' }]);
    expect((await api.post('/v1/tickets', { title: 'a\u0000b' })).status).toBe(400);
    const headers = { 'idempotency-key': 'once' };
    const first = await api.post('/v1/tickets', { title: 'Once' }, headers);
    const again = await api.post('/v1/tickets', { title: 'Once' }, headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('are not for a page of another site', async () => {
    const { cookie } = gatehouse.workspace.owner;
    const { baseUrl, workspace } = gatehouse;
    const page = createClient({
      baseUrl,
      cookie,
      workspace: workspace.slug,
      headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    });
    expect((await page.post('/v1/tickets', { title: 'Forged' })).status).toBe(403);
  });
});
