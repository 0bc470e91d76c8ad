import { setTimeout as sleep } from 'node:timers/promises';

import {
  DefinesEventTypes,
  EventHandler,
  type EventHandlerProvider,
  Events,
  Extension,
  type HandledEvent,
} from '@gatehouse/extension';
import { startGatehouse, type TestGatehouse } from '@gatehouse/testing';
import { Module } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Seed } from '../../libs/testing/index.js';
import { newId } from '../../src/core/crypto/index.js';
import { newSlug, python } from '../support/scripts.js';

const TOLD = {
  type: 'relay.told',
  description: 'The relay told.',
  environmentScoped: false,
  schema: { type: 'object', properties: { of: { type: 'string' } }, required: ['of'] },
  example: { of: 'evt_x' },
};

@DefinesEventTypes()
class RelayEvents {
  readonly eventTypes = [TOLD];
}

/** Tells of each script that is made, and of nothing else. */
@EventHandler('relay')
class Relay implements EventHandlerProvider {
  readonly handles = ['script.created', 'run.started'];
  readonly handled: HandledEvent[] = [];

  constructor(private readonly events: Events) {}

  async handle(event: HandledEvent): Promise<void> {
    this.handled.push(event);
    const { workspace, type, id } = event;
    if (type !== 'script.created') return;
    await this.events.tell({
      workspaceId: workspace.id,
      environmentId: null,
      type: 'relay.told',
      data: { of: id },
    });
  }
}

/** Takes a while for each. */
@EventHandler('relay.slow')
class SlowRelay implements EventHandlerProvider {
  readonly handles = ['ping'];
  readonly workspaces: string[] = [];
  atOnce = 0;
  most = 0;

  async handle({ workspace }: HandledEvent): Promise<void> {
    this.most = Math.max(this.most, (this.atOnce += 1));
    await sleep(20);
    this.atOnce -= 1;
    this.workspaces.push(workspace.id);
  }
}

@Extension({ name: 'relay' })
@Module({ providers: [RelayEvents, Relay, SlowRelay] })
class RelayExtension {}

let gatehouse: TestGatehouse;

beforeAll(async () => {
  gatehouse = await startGatehouse({ extensions: [RelayExtension] });
});

afterAll(() => gatehouse?.stop());

const rows = async <T extends object>(sql: string, ...values: unknown[]): Promise<T[]> =>
  (await gatehouse.database.query<T>(sql, values)).rows;

describe('a handler of events', () => {
  it('gets an event as a webhook endpoint does, with where it happened', async () => {
    const { workspace } = gatehouse;
    const api = gatehouse.api.as(workspace.owner);
    const slug = newSlug();
    expect((await api.post('/v1/scripts', { slug, name: 'Made' })).status).toBe(201);
    await gatehouse.eventsHandled();
    const { handled } = gatehouse.get(Relay);
    const made = handled.find(({ type }) => type === 'script.created')!;
    const [stored] = await rows<{ id: string; data: object; createdAt: Date }>(
      `SELECT id, data, created_at AS "createdAt" FROM events WHERE type = 'script.created'`,
    );
    const [place] = await rows<{ name: string }>('SELECT name FROM workspaces WHERE id = $1', workspace.id);
    expect(made).toEqual({
      id: stored!.id,
      type: 'script.created',
      createdAt: stored!.createdAt.toISOString(),
      workspace: { id: workspace.id, slug: workspace.slug, name: place!.name },
      environment: null,
      data: stored!.data,
    });
    expect(await rows('SELECT 1 FROM event_handlings')).toEqual([]);
    const { id } = await gatehouse.tell('run.started');
    await gatehouse.eventsHandled();
    const started = handled.find((event) => event.id === id)!;
    expect(started.environment).toEqual({ id: workspace.environmentId, name: 'production' });
    // Nobody asked for that type.
    await gatehouse.tell('run.succeeded');
    await gatehouse.eventsHandled();
    expect(handled.map(({ type }) => type)).not.toContain('run.succeeded');
  });

  it('gets those of every workspace, but none of a deleted one', async () => {
    const other = await new Seed(gatehouse.baseUrl, gatehouse.database as never).workspace();
    const api = gatehouse.api.as(other.owner, other);
    expect((await api.post('/v1/scripts', { slug: newSlug(), name: 'Theirs' })).status).toBe(201);
    await gatehouse.eventsHandled();
    const { handled } = gatehouse.get(Relay);
    const theirs = () => handled.filter(({ workspace }) => workspace.id === other.id);
    expect(theirs()).toHaveLength(1);
    await rows('UPDATE workspaces SET deleted_at = now() WHERE id = $1', other.id);
    await rows(
      `INSERT INTO events (id, workspace_id, type, data) VALUES ($1, $2, 'script.created', '{}')`,
      newId('event'),
      other.id,
    );
    await gatehouse.eventsHandled();
    expect(theirs()).toHaveLength(1);
  });

  it('is given an event once, also where it is dispatched again', async () => {
    const { id } = await gatehouse.tell('run.started');
    await gatehouse.eventsHandled();
    // As where another consumer failed. It waits for its turn, and is dispatched meanwhile.
    await rows(
      `INSERT INTO event_handlings (id, workspace_id, handler, event_id, due_at)
       VALUES ($1, $2, 'relay', $3, now() + interval '1 hour') ON CONFLICT DO NOTHING`,
      newId('handling'),
      gatehouse.workspace.id,
      id,
    );
    await rows('UPDATE events SET dispatched_at = NULL WHERE id = $1', id);
    await gatehouse.passNow('EventDispatcher.dispatch');
    expect(await rows('SELECT 1 FROM event_handlings WHERE event_id = $1', id)).toHaveLength(1);
    await rows('DELETE FROM event_handlings WHERE event_id = $1', id);
  });

  it('goes on with the chain of its event, through a trigger and its run', async () => {
    const { workspace } = gatehouse;
    const api = gatehouse.api.as(workspace.owner);
    const script = await python(api, 'pass');
    // No worker is here: its runs are held.
    await api.patch(`/v1/scripts/${script.slug}`, { approvalPolicy: 'always' });
    await gatehouse.eventsHandled();
    const made = await api.post(`/v1/scripts/${script.slug}/triggers`, {
      name: 'On',
      eventType: 'relay.told',
    });
    expect(made.status, made.text).toBe(201);
    const causing = await api.post(`/v1/scripts/${script.slug}/runs`, { inputs: {} });
    expect(causing.status, causing.text).toBe(202);
    // As if a script's run had made a script: it is three hops from what somebody did.
    const [first, told] = [newId('event'), newId('event')];
    await rows('UPDATE runs SET hops = 3, chain_event_id = $2 WHERE id = $1', causing.body.id, first);
    await rows(
      `INSERT INTO events (id, workspace_id, type, data, dispatched_at) VALUES ($1, $2, 'ping', '{}', now())`,
      first,
      workspace.id,
    );
    await rows(
      `INSERT INTO events (id, workspace_id, type, data, caused_by_run_id) VALUES ($1, $2, 'script.created', '{}', $3)`,
      told,
      workspace.id,
      causing.body.id,
    );
    await gatehouse.eventsHandled();
    const [relayed] = await rows(
      `SELECT hops, chain_event_id AS first, caused_by_run_id AS run FROM events WHERE data ->> 'of' = $1`,
      told,
    );
    expect(relayed).toEqual({ hops: 4, first, run: causing.body.id });
    const runs = () =>
      rows('SELECT hops, chain_event_id AS first FROM runs WHERE trigger_id = $1', made.body.id);
    await expect.poll(runs).toEqual([{ hops: 5, first }]);
    const [counted] = await rows('SELECT chain_calls AS calls FROM events WHERE id = $1', first);
    expect(counted).toEqual({ calls: 1 });
  });

  it('is fair between workspaces, and has so many events at once', async () => {
    const other = await new Seed(gatehouse.baseUrl, gatehouse.database as never).workspace();
    const slow = gatehouse.get(SlowRelay);
    const tell = (workspaceId: string, count: number) =>
      rows(
        `INSERT INTO events (id, workspace_id, type, data)
         SELECT id, $2, 'ping', '{"message": "Hello"}' FROM unnest($1::text[]) AS e(id)`,
        Array.from({ length: count }, () => newId('event')),
        workspaceId,
      );
    await tell(gatehouse.workspace.id, 400);
    await expect.poll(() => slow.workspaces.length).toBeGreaterThan(0);
    await tell(other.id, 1);
    await expect.poll(() => slow.workspaces.includes(other.id)).toBe(true);
    expect(slow.workspaces.indexOf(other.id)).toBeLessThan(300);
    await gatehouse.eventsHandled(60_000);
    expect(slow.workspaces).toHaveLength(401);
    expect(slow.most).toBeLessThanOrEqual(4);
  });
});
