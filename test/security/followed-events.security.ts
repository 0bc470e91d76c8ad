import { DefinesEventTypes, Extension } from '@gatehouse/extension';
import { startGatehouse, type TestGatehouse } from '@gatehouse/testing';
import { Module } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Answer, Client, Json } from '../../libs/testing/index.js';
import { newId } from '../../src/core/crypto/ids.js';
import { client, database } from '../support/gatehouse.js';
import { connect } from '../support/oauth.js';
import { inApp } from '../support/people.js';
import { python, run, type TestScript } from '../support/scripts.js';
import {
  allDispatched,
  echo,
  newTriggerWorld,
  runsOf,
  runsUntil,
  trigger,
  type TriggerWorld,
} from '../support/triggers.js';

const HIDE = `UPDATE scripts SET access = 'teams', team_ids = '{tea_none}' WHERE id = $1`;
const NAME = { what: '{{event.data.name}}' };

let world: TriggerWorld;
beforeAll(async () => {
  world = await newTriggerWorld();
});

const make = (by: Client, { slug }: TestScript, eventType: string): Promise<Answer> =>
  by.post(`/v1/scripts/${slug}/triggers`, { name: 'Listen', eventType });

describe('an app that was given chosen scripts', () => {
  const chosenApp = async (scripts: string[]): Promise<Client> => {
    const { workspace } = world;
    const { access_token: token } = await connect(workspace.owner, { workspace: workspace.slug, scripts });
    return client({ token });
  };

  it('learns of no other by a trigger on runs', async () => {
    const { workspace, api, script } = world;
    const other = await echo(api);
    const when = await trigger(await chosenApp([script.slug]), script, {
      eventType: 'run.succeeded',
      filter: { interface: 'api' },
      inputs: { what: '{{event.data.script.slug}}' },
    });
    await run(api, other);
    await run(api, script);
    await allDispatched(workspace);
    expect((await runsOf(when)).map(({ inputs }) => inputs)).toEqual([{ what: script.slug }]);
    const followers = async ({ slug }: TestScript): Promise<string[]> =>
      (await api.get(`/v1/scripts/${slug}`)).body.usedBy.followedBy.map((by: Json) => by.trigger.id);
    const second = await trigger(await chosenApp([script.slug]), script, { filter: { error: 'x' } });
    expect(await followers(other)).not.toContain(second.id);
    // A person who writes anew what it takes is its author, and sees more.
    expect((await api.patch(`/v1/triggers/${second.id}`, { inputs: { what: 'x' } })).status).toBe(200);
    expect(await followers(other)).toContain(second.id);
    for (const { id } of [when, second]) await api.delete(`/v1/triggers/${id}`);
  });

  it('can have none on what is of all scripts', async () => {
    const app = await chosenApp([world.script.slug]);
    for (const type of ['ping', 'webhook_endpoint.disabled', 'approval.requested', 'approval.decided']) {
      const { status, body } = await make(app, world.script, type);
      expect([type, status, body.error?.code]).toEqual([type, 403, 'forbidden']);
    }
  });
});

describe('a credential that may only write triggers and read runs', () => {
  const scopes = ['triggers:write', 'runs:read'];
  const narrow: [string, () => Promise<Client>][] = [
    [
      'a token',
      async () =>
        client({ token: await world.workspace.owner.tokenWith({ scopes }), workspace: world.workspace.slug }),
    ],
    ['an app', async () => client({ token: await world.workspace.owner.agent({ scopes }) })],
    ['a key', async () => client({ token: await world.workspace.apiKey(null, { scopes }) })],
    ['a bound key', async () => client({ token: await world.workspace.apiKey('production', { scopes }) })],
  ];

  it.each(narrow)('%s has none on what it may not read', async (_, credential) => {
    const { api, script } = world;
    const by = await credential();
    for (const type of [
      'workspace.member.joined',
      'workspace.invitation.created',
      'approval.requested',
      'approval.decided',
      'secret.updated',
      'environment.updated',
      'schedule.disabled',
      'webhook_endpoint.disabled',
      'ping',
    ]) {
      const { status, body } = await make(by, script, type);
      expect([type, status]).toEqual([type, 403]);
      expect(body.error.message).toContain(`A trigger on ${type} takes who may follow such events.`);
      expect(body.error.message).toContain('was not granted the scope');
    }
    const owners = await trigger(api, script, { eventType: 'workspace.member.joined' });
    const inputs = { what: '{{event.data.email}}' };
    expect((await by.patch(`/v1/triggers/${owners.id}`, { inputs })).status).toBe(403);
    expect((await by.patch(`/v1/triggers/${owners.id}`, { filter: { userId: 'x' } })).status).toBe(403);
    const own = await make(by, script, 'run.awaiting_approval');
    expect(own.status, own.text).toBe(201);
    for (const { id } of [owners, own.body]) await api.delete(`/v1/triggers/${id}`);
  });

  it('does not get by a trigger the approvals that others asked for', async () => {
    const limits = { scopes: ['triggers:write', 'workspace.approvals:read'] };
    const key = client({ token: await world.workspace.apiKey(null, limits) });
    expect((await make(key, world.script, 'approval.requested')).status).toBe(403);
  });
});

it('a member learns by a trigger of no schedule, trigger or hook of a script that is hidden from them', async () => {
  const { workspace, api, script } = await newTriggerWorld();
  const member = inApp(await workspace.person('member'), workspace);
  const listeners: Json[] = [];
  for (const type of ['schedule.disabled', 'trigger.disabled', 'hook.disabled']) {
    listeners.push(await trigger(member, script, { eventType: type, inputs: NAME }));
  }
  const owners = await trigger(api, script, { eventType: 'hook.disabled', inputs: NAME });
  const end = async (name: string, hide: boolean): Promise<void> => {
    const automated = await python(api, 'print(1)');
    const at = `/v1/scripts/${automated.slug}`;
    for (const answer of [
      await api.post(`${at}/schedules`, { name, cron: '0 0 1 1 *' }),
      await api.post(`${at}/triggers`, { name, eventType: 'run.failed' }),
      await api.post(`${at}/hooks`, { name, verify: { scheme: 'none' } }),
    ]) {
      expect(answer.status, answer.text).toBe(201);
    }
    if (hide) await database().query(HIDE, [automated.id]);
    await api.delete(at);
  };
  await end('hidden', true);
  await runsUntil(owners, 1);
  await allDispatched(workspace);
  for (const listener of listeners) expect(await runsOf(listener)).toEqual([]);
  await end('open', false);
  for (const listener of listeners) {
    expect((await runsUntil(listener, 1)).map(({ inputs }) => inputs)).toEqual([{ what: 'open' }]);
  }
});

const TYPE = {
  description: 'Something was told.',
  environmentScoped: false,
  schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  example: { name: 'x' },
};

@DefinesEventTypes()
class ToldEvents {
  readonly eventTypes = [
    { ...TYPE, type: 'told.nobody' },
    { ...TYPE, type: 'told.admins', audience: { scope: 'workspace:read', role: 'admin' as const } },
    { ...TYPE, type: 'told.members', audience: { scope: 'workspace:read', role: 'member' as const } },
  ];
}

@Extension({ name: 'told' })
@Module({ providers: [ToldEvents] })
class ToldExtension {}

describe("an extension's types of events", () => {
  let gatehouse: TestGatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse({ extensions: [ToldExtension] });
  });
  afterAll(() => gatehouse?.stop());

  it('fire only the triggers of those whom they are for', async () => {
    const { workspace, api } = gatehouse;
    const owner = api.as(workspace.owner);
    const person = await workspace.person('member');
    const member = api.as(person);
    const script = await python(owner, 'pass');
    // No worker is here: its runs are held.
    await owner.patch(`/v1/scripts/${script.slug}`, { approvalPolicy: 'always' });
    const statuses = async (by: Client): Promise<number[]> => [
      (await make(by, script, 'told.nobody')).status,
      (await make(by, script, 'told.admins')).status,
      (await make(by, script, 'told.members')).status,
    ];
    expect(await statuses(member)).toEqual([403, 403, 201]);
    expect(await statuses(owner)).toEqual([201, 201, 201]);
    // As they were made before anybody asked for whom the types are.
    const triggers = (await owner.get('/v1/triggers')).body.items as Json[];
    const query = (statement: string, ...parameters: unknown[]) =>
      gatehouse.database.query(statement, parameters);
    await query('UPDATE triggers SET author_user_id = $1', person.id);
    for (const type of ['told.nobody', 'told.admins', 'told.members']) {
      await query(
        `INSERT INTO events (id, workspace_id, type, data) VALUES ($1, $2, $3, '{"name": "secret"}')`,
        newId('event'),
        workspace.id,
        type,
      );
    }
    await gatehouse.eventsHandled();
    const after = async (): Promise<unknown[]> => {
      const { items } = (await owner.get('/v1/triggers')).body as { items: Json[] };
      return items.map(({ eventType, enabled, lastFiredAt }) => [eventType, enabled, lastFiredAt !== null]);
    };
    const expected = triggers.map(({ eventType }) => [
      eventType,
      eventType === 'told.members',
      eventType === 'told.members',
    ]);
    await expect.poll(after).toEqual(expected);
  });
});
