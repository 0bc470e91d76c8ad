import { beforeAll, describe, expect, it } from 'vitest';

import type { Client, TestWorkspace } from '../../libs/testing/index.js';
import { firstIdAt, newId } from '../../src/core/crypto/ids.js';
import { EventReader, STREAM, asBearer, asPerson } from '../support/event-stream.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { byToken, inApp, newTeam } from '../support/people.js';
import { python, run } from '../support/scripts.js';

let workspace: TestWorkspace;
let owner: Client;

beforeAll(async () => {
  workspace = await newWorkspace();
  owner = inApp(workspace.owner, workspace);
});

const newScript = async (api: Client): Promise<string> => {
  const slug = `s-${newId('script').slice(-12)}`;
  const made = await api.post('/v1/scripts', { slug, name: slug });
  expect(made.status, made.text).toBe(201);
  return slug;
};
const ofScript =
  (slug: string) =>
  ({ data }: { data: { data?: { script?: { slug: string } } } }): boolean =>
    data.data?.script?.slug === slug;

describe('the stream of events', () => {
  it('shows what happens as webhook endpoints get it, in order', async () => {
    const stream = await EventReader.open(asPerson(workspace.owner, workspace));
    const script = await python(owner, 'print(1)');
    const { body } = await run(owner, script);
    await stream.next(({ event }) => event === 'run.succeeded');
    stream.close();
    expect(stream.types()).toEqual(['script.created', 'script.published', 'run.started', 'run.succeeded']);
    const ended = stream.events.at(-1)!;
    expect(Object.keys(ended.data)).toEqual(['id', 'type', 'createdAt', 'data']);
    expect(ended.data).toMatchObject({
      id: ended.id,
      type: 'run.succeeded',
      data: { runId: body.id, script: { slug: script.slug }, status: 'succeeded', environment: 'production' },
    });
  });

  it('goes on after the event that it gave last, and from where it began', async () => {
    const stream = await EventReader.open(asPerson(workspace.owner, workspace));
    const begin = stream.lastId;
    const before = await newScript(owner);
    const last = await stream.next(ofScript(before));
    stream.close();
    const missed = await newScript(owner);
    for (const from of [last.id, begin]) {
      const resumed = await EventReader.open({
        ...asPerson(workspace.owner, workspace),
        'last-event-id': from,
      });
      await resumed.next(ofScript(missed));
      const later = await newScript(owner);
      await resumed.next(ofScript(later));
      resumed.close();
      expect(resumed.events.filter(ofScript(missed))).toHaveLength(1);
      expect(resumed.types()).not.toContain('reset');
    }
  });

  it('says that everything has to be read again where too much was missed', async () => {
    const crowded = await newWorkspace();
    const headers = asPerson(crowded.owner, crowded);
    const long = firstIdAt('event', new Date(Date.now() - 3_700_000));
    const late = await EventReader.open({ ...headers, 'last-event-id': long });
    await late.next(({ event }) => event === 'reset');
    late.close();
    const stream = await EventReader.open(headers);
    stream.close();
    await database().query(
      `INSERT INTO events (id, workspace_id, environment_id, type, data, dispatched_at)
       SELECT id, $2, $3, 'secret.updated', '{"name": "A", "environment": "production"}', now()
       FROM unnest($1::text[]) AS i(id)`,
      [Array.from({ length: 1_001 }, () => newId('event')), crowded.id, crowded.environmentId],
    );
    const resumed = await EventReader.open({ ...headers, 'last-event-id': stream.lastId });
    await resumed.next(({ event }) => event === 'reset');
    const slug = await newScript(inApp(crowded.owner, crowded));
    await resumed.next(ofScript(slug));
    resumed.close();
    expect(resumed.types()).toEqual(['reset', 'script.created']);
  });

  it('refuses what it cannot make sense of', async () => {
    expect((await owner.get(STREAM, { 'last-event-id': 'x' })).status).toBe(400);
    expect((await owner.get(`${STREAM}?types=run`)).status).toBe(400);
    expect((await client().get(STREAM)).status).toBe(401);
  });
});

describe('who sees which events', () => {
  it('a token those of its families, and none of them means 403', async () => {
    const { owner: person } = workspace;
    const runs = await EventReader.open(
      asBearer(await person.tokenWith({ scopes: ['runs:read'] }), workspace),
    );
    const every = await EventReader.open(
      asBearer(await person.tokenWith({ scopes: ['workspace.webhooks:read'] }), workspace),
    );
    const script = await python(owner, 'print(1)');
    await run(owner, script);
    for (const stream of [runs, every]) {
      await stream.next(({ event }) => event === 'run.succeeded');
      stream.close();
    }
    expect(new Set(runs.types())).toEqual(new Set(['run.started', 'run.succeeded']));
    expect(every.types()).toContain('script.published');
    const none = await person.tokenWith({ scopes: ['files:read', 'runs:write'] });
    expect((await client({ token: none, workspace: workspace.slug }).get(STREAM)).status).toBe(403);
    const member = await workspace.person('member');
    const hooks = await member.tokenWith({ scopes: ['workspace.webhooks:read'] });
    expect((await client({ token: hooks, workspace: workspace.slug }).get(STREAM)).status).toBe(403);
  });

  it("a member nothing of a team's script that is not theirs, a guest what is shared with their team and their own runs", async () => {
    const [member, insider, guest] = [
      await workspace.person('member'),
      await workspace.person('member'),
      await workspace.person('guest'),
    ];
    const team = await newTeam(workspace, 'Insiders', [insider, guest]);
    const script = await python(owner, 'print(1)');
    await owner.patch(`/v1/scripts/${script.slug}`, { access: 'teams', teamIds: [team.id] });
    const streams = {
      member: await EventReader.open(asPerson(member, workspace)),
      insider: await EventReader.open(asPerson(insider, workspace)),
      guest: await EventReader.open(asPerson(guest, workspace)),
    };
    await run(owner, script);
    await owner.post(`/v1/scripts/${script.slug}/publish`, { version: 1 });
    const own = (await run(inApp(guest, workspace), script)).body;
    const open = await newScript(owner);
    await streams.member.next(ofScript(open));
    await streams.insider.next(ofScript(open));
    await streams.guest.next(({ event }) => event === 'run.succeeded');
    for (const stream of Object.values(streams)) stream.close();
    expect(streams.member.events.filter(ofScript(script.slug))).toEqual([]);
    const seen = streams.insider.events.filter(ofScript(script.slug)).map(({ event }) => event);
    expect(seen.filter((type) => type === 'run.succeeded')).toHaveLength(2);
    expect(
      streams.guest.events.filter(({ event }) => event.startsWith('run.')).map(({ data }) => data.data.runId),
    ).toEqual([own.id, own.id]);
    expect(streams.guest.events.filter(ofScript(open))).toEqual([]);
  });

  it('a bound key those of its environment and of the whole workspace, and nobody those of another workspace', async () => {
    const environment = `e-${newId('environment').slice(-8)}`;
    await owner.post('/v1/workspace/environments', { name: environment });
    const bound = await EventReader.open(asBearer(await workspace.apiKey(environment)));
    const free = await EventReader.open(asBearer(await workspace.apiKey()));
    const other = await newWorkspace();
    const stranger = await EventReader.open(asPerson(other.owner, other));
    await owner.put('/v1/workspace/secrets/ELSEWHERE', { value: 'long enough', hosts: ['a.example'] });
    const there = client({ cookie: workspace.owner.cookie, workspace: workspace.slug, environment });
    await there.put('/v1/workspace/secrets/HERE', { value: 'long enough', hosts: ['a.example'] });
    const slug = await newScript(owner);
    for (const stream of [bound, free]) await stream.next(ofScript(slug));
    const secrets = (stream: EventReader): string[] =>
      stream.events.filter(({ event }) => event === 'secret.updated').map(({ data }) => data.data.name);
    expect(secrets(free)).toEqual(['ELSEWHERE', 'HERE']);
    expect(secrets(bound)).toEqual(['HERE']);
    expect(stranger.events).toEqual([]);
    for (const stream of [bound, free, stranger]) stream.close();
  });

  it('of approvals who asked and who may decide', async () => {
    const [asking, admin, other] = [
      await workspace.person('member'),
      await workspace.person('admin'),
      await workspace.person('member'),
    ];
    const streams = {
      token: await EventReader.open(asBearer(asking.token, workspace)),
      app: await EventReader.open(asPerson(asking, workspace)),
      admin: await EventReader.open(asPerson(admin, workspace)),
      other: await EventReader.open(asPerson(other, workspace)),
      otherToken: await EventReader.open(
        asBearer(await asking.tokenWith({ scopes: ['workspace.approvals:read'] }), workspace),
      ),
    };
    const { body } = await byToken(asking, workspace).post('/v1/workspace/approval-requests', {
      action: 'team.create',
      input: { name: 'Night shift' },
      reason: 'For the nights',
    });
    await inApp(admin, workspace).post(`/v1/workspace/approval-requests/${body.id}/deny`, {});
    for (const stream of [streams.token, streams.app, streams.admin]) {
      const { data } = await stream.next(({ event }) => event === 'approval.decided');
      expect(data.data).toMatchObject({ requestId: body.id, status: 'denied' });
      expect(JSON.stringify(stream.events)).not.toContain('Night shift');
    }
    const slug = await newScript(owner);
    await streams.other.next(ofScript(slug));
    for (const stream of Object.values(streams)) stream.close();
    expect(streams.other.types().filter((type) => type.startsWith('approval.'))).toEqual([]);
    expect(streams.otherToken.types()).toEqual([]);
  });

  it('of schedules who sees their script', async () => {
    const member = await workspace.person('member');
    const hidden = await python(owner, 'print(1)');
    const shown = await python(owner, 'print(1)');
    const team = await newTeam(workspace, 'Clockwork');
    await owner.patch(`/v1/scripts/${hidden.slug}`, { access: 'teams', teamIds: [team.id] });
    const stream = await EventReader.open(asPerson(member, workspace));
    for (const { slug } of [hidden, shown]) {
      await owner.post(`/v1/scripts/${slug}/schedules`, { name: slug, cron: '0 0 1 1 *' });
      await owner.delete(`/v1/scripts/${slug}`);
    }
    await stream.next(({ event, data }) => event === 'schedule.disabled' && data.data.name === shown.slug);
    stream.close();
    expect(stream.events.filter(({ data }) => data.data.name === hidden.slug)).toEqual([]);
  });
});
