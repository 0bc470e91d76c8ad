import { beforeAll, describe, expect, it } from 'vitest';

import type { Answer, Client, Json, TestPerson, TestWorkspace } from '../../libs/testing/index.js';
import { type Loosening as Key, LOOSENINGS as WORDS } from '../../src/core/access/may-loosen.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { newTeam } from '../support/people.js';
import { newSlug, newVersion, python } from '../support/scripts.js';

const ENVIRONMENTS = '/v1/workspace/environments';
const SECRETS = '/v1/workspace/secrets';
const TEAMS = '/v1/workspace/teams';
const SETTINGS = '/v1/workspace/script-settings';
const secret = (fields: object = {}) => ({
  value: 'sk_of_the_test',
  hosts: ['api.example.com', '*.example.org'],
  ...fields,
});

interface World {
  workspace: TestWorkspace;
  /** The owner's, by token. */
  api: Client;
  member: TestPerson;
  guest: TestPerson;
}

/** One way to put what is there under a weaker rule. */
interface Loosening {
  attempt: (api: Client) => Promise<Answer>;
  /** What must be as before. */
  state: () => Promise<unknown>;
  /** Who is refused; by default all strangers. For others it is no loosening. */
  by?: readonly string[];
}

/** A change by a key or an app leaves it an agent's. */
const PEOPLE = ['a member by token', 'a member in the app'];

/** Tried elsewhere: by a source of an extension's, and on routes that are for owners in person. */
type Elsewhere =
  'secret.source' | 'workspace.second_factor' | 'workspace.step_up' | 'agent_settings.member_budget';

/** Every way, each from a strict beginning that it makes for itself. A key without a test is no program that compiles. */
const LOOSENINGS: Record<Exclude<Key, Elsewhere>, Record<string, (world: World) => Promise<Loosening>>> = {
  'environment.approval_policy': {
    'a lower approvalPolicy of an environment': (world) =>
      changingEnvironment(world, { approvalPolicy: 'agents' }),
  },
  'environment.agents_allowed': {
    'agentsAllowed in an environment': (world) => changingEnvironment(world, { agentsAllowed: true }),
  },
  'environment.name': {
    'another name for an environment': (world) => changingEnvironment(world, { name: newSlug() }),
  },
  'environment.default': {
    'another default environment': async ({ api }) => {
      const { name } = await done(api.post(ENVIRONMENTS, { name: newSlug() }));
      return {
        attempt: (other) => other.patch(`${ENVIRONMENTS}/${name}`, { isDefault: true }),
        state: async () => (await done(api.get(`${ENVIRONMENTS}/production`))).isDefault,
      };
    },
  },
  'environment.former_name': {
    'a lax environment in the name of one that was deleted': async ({ api }) => {
      const { name } = await strictEnvironment(api);
      await done(api.delete(`${ENVIRONMENTS}/${name}`));
      return makingEnvironment(api, { name, agentsAllowed: false });
    },
    'a lax environment in the name that another one had': async ({ api }) => {
      const { id, name } = await strictEnvironment(api);
      await done(api.patch(`${ENVIRONMENTS}/${id}`, { name: newSlug() }));
      return makingEnvironment(api, { name, approvalPolicy: 'always' });
    },
  },
  'script.ask': {
    'fewer questions about the inputs of a script': async ({ api }) => {
      const ask = { when: { properties: { amount: { exclusiveMinimum: 100 } } }, who: 'all' };
      const slug = await script(api, { ask });
      return changing(api, `/v1/scripts/${slug}`, { ask: { ...ask, who: 'agents' } });
    },
    'another condition of what a script asks about': async ({ api }) => {
      const slug = await script(api, { ask: { when: { required: ['amount'] }, who: 'all' } });
      return changing(api, `/v1/scripts/${slug}`, { ask: { when: { not: {} }, who: 'all' } });
    },
    'no question about the inputs of a script': async ({ api }) => {
      const slug = await script(api, { ask: { when: {}, who: 'agents' } });
      return changing(api, `/v1/scripts/${slug}`, { ask: null });
    },
  },
  'script.retention': {
    'runs of a script that go earlier': async ({ api }) => {
      const slug = await script(api, { retention: { runs: 20 } });
      return changing(api, `/v1/scripts/${slug}`, { retention: { runs: 1 } });
    },
    'runs of a script that go earlier than the operator says': async ({ api }) =>
      changing(api, `/v1/scripts/${await script(api, {})}`, { retention: { runs: 1 } }),
  },
  'agent.approval_policy': {
    'an agent that asks no more': async ({ api }) =>
      changing(api, await agent(api, { approvalPolicy: 'always' }), { approvalPolicy: 'none' }),
    'an agent whose slug is free for one that asks no more': async ({ api }) =>
      removing(api, await agent(api, { approvalPolicy: 'always' })),
  },
  'agent.budget': {
    'a larger budget of an agent': async ({ api }) =>
      changing(api, await agent(api, { budget: { day: { runs: 1 } } }), { budget: { day: { runs: 2 } } }),
    'no budget of an agent': async ({ api }) =>
      changing(api, await agent(api, { budget: { month: { tokens: 1 } } }), { budget: null }),
  },
  'script.approval_policy': {
    'a lower approvalPolicy of a script': async ({ api }) => {
      const slug = await script(api, { approvalPolicy: 'always' });
      return changing(api, `/v1/scripts/${slug}`, { approvalPolicy: 'none' });
    },
    'a script whose slug is free for one without its rules': async ({ api }) => {
      const slug = await script(api, { approvalPolicy: 'always' });
      return removing(api, `/v1/scripts/${slug}`, '?removeIf=unused');
    },
  },
  'script.access': {
    'a script opened to the workspace': async ({ api, workspace, member }) => {
      const { id } = await newTeam(workspace, newSlug(), [member]);
      const slug = await script(api, { access: 'teams', teamIds: [id] });
      return changing(api, `/v1/scripts/${slug}`, { access: 'workspace' });
    },
    'a script opened to a further team': async ({ api, workspace, member }) => {
      const [one, other] = [
        await newTeam(workspace, newSlug(), [member]),
        await newTeam(workspace, newSlug()),
      ];
      const slug = await script(api, { access: 'teams', teamIds: [one.id] });
      return changing(api, `/v1/scripts/${slug}`, { teamIds: [one.id, other.id] });
    },
    'a script opened to a team with a guest in it': async ({ api, workspace, guest }) => {
      const { id } = await newTeam(workspace, newSlug(), [guest]);
      const slug = await script(api, {});
      return changing(api, `/v1/scripts/${slug}`, { access: 'teams', teamIds: [id] });
    },
  },
  'script_settings.second_person': {
    'publishing by one person alone': async ({ api }) => {
      await done(api.patch(SETTINGS, { publishNeedsSecondPerson: true }));
      return changing(api, SETTINGS, { publishNeedsSecondPerson: false });
    },
  },
  'team.members': {
    'a guest in a team': async ({ api, workspace, guest }) => {
      const { id } = await newTeam(workspace, newSlug());
      return {
        attempt: (other) => other.put(`${TEAMS}/${id}/members/${guest.id}`),
        state: () => done(api.get(`${TEAMS}/${id}`)),
      };
    },
  },
  'team.name': {
    'the name of a team, by which a provider fills it': async ({ api, workspace }) => {
      const { id } = await newTeam(workspace, newSlug());
      return changing(api, `${TEAMS}/${id}`, { name: newSlug() });
    },
  },
  'secret.hosts': {
    'a further host of a secret': async ({ api }) => {
      const path = await newSecret(api);
      return settingSecret(api, path, secret({ hosts: ['api.example.com', 'evil.example.com'] }));
    },
    'a whole domain for a secret of one host': async ({ api }) => {
      const path = await newSecret(api);
      return settingSecret(api, path, secret({ hosts: ['*.example.com'] }));
    },
    'another port for a secret': async ({ api }) => {
      const path = await newSecret(api);
      return settingSecret(api, path, secret({ hosts: ['api.example.com:8443'] }));
    },
    'a further host of a secret that is deleted first': async ({ api }) => {
      const path = await newSecret(api);
      const body = secret({ hosts: ['evil.example.com'] });
      await done(api.delete(path));
      return { attempt: (other) => other.put(path, body), state: () => absent(api, path) };
    },
    'a further host of a secret in an environment that is deleted first': async ({ api, workspace }) => {
      const { name } = await done(api.post(ENVIRONMENTS, { name: newSlug() }));
      const { owner, slug } = workspace;
      const there = client({ token: owner.token, workspace: slug, environment: name });
      const path = await newSecret(there);
      await done(api.delete(`${ENVIRONMENTS}/${name}`));
      await done(api.post(ENVIRONMENTS, { name }));
      const body = secret({ hosts: ['evil.example.com'] });
      const attempt = (other: Client) => other.put(path, body, { 'x-environment': name });
      return { attempt, state: () => absent(there, path) };
    },
  },
  'secret.allow_env': {
    'allowEnv of a secret': async ({ api }) => {
      const path = await newSecret(api);
      return settingSecret(api, path, secret({ allowEnv: true }));
    },
    'allowEnv of a secret that is deleted first': async ({ api }) => {
      const path = await newSecret(api);
      await done(api.delete(path));
      return {
        attempt: (other) => other.put(path, secret({ allowEnv: true })),
        state: () => absent(api, path),
      };
    },
    'allowEnv of a secret that goes with its environment': async ({ api, workspace }) => {
      const { name } = await done(api.post(ENVIRONMENTS, { name: newSlug() }));
      const { owner, slug } = workspace;
      const path = await newSecret(client({ token: owner.token, workspace: slug, environment: name }));
      await done(api.delete(`${ENVIRONMENTS}/${name}`));
      return {
        attempt: (other) => other.put(path, secret({ allowEnv: true })),
        state: () => absent(api, path),
      };
    },
  },
  'automation.environment': {
    'a schedule moved to an environment that holds nothing': async ({ api }) => {
      const { name } = await strictEnvironment(api);
      const { slug } = await python(api, 'print(1)');
      const { id } = await done(
        api.post(`/v1/scripts/${slug}/schedules`, { name: 'Yearly', cron: '0 0 1 1 *', environment: name }),
      );
      return changing(api, `/v1/schedules/${id}`, { environment: 'production' });
    },
    'a trigger moved to an environment that holds nothing': async ({ api, workspace }) => {
      const { name } = await strictEnvironment(api);
      const { slug } = await python(api, 'print(1)');
      const body = { name: 'On joining', eventType: 'workspace.member.joined', environment: name };
      const { id } = await done(api.post(`/v1/scripts/${slug}/triggers`, body));
      const headers = { 'x-environment': name };
      const { owner, slug: named } = workspace;
      const there = client({ token: owner.token, workspace: named, environment: name });
      return {
        attempt: (other) => other.patch(`/v1/triggers/${id}`, { environment: 'production' }, headers),
        state: async () => (await there.get(`/v1/triggers/${id}`)).status,
      };
    },
  },
  'hook.verify': {
    'a hook that takes a word in place of a signature': async (world) => {
      const { api } = world;
      const slug = await script(api, {});
      await newVersion(api, slug, { 'main.py': 'print(1)' });
      await done(api.post(`/v1/scripts/${slug}/publish`, { version: 1 }));
      const body = { name: 'Pushes', verify: { scheme: 'github', secret: 'SOME_KEY' } };
      const { id } = await done(api.post(`/v1/scripts/${slug}/hooks`, body));
      return changing(api, `/v1/hooks/${id}`, { verify: { scheme: 'token', secret: 'SOME_KEY' } });
    },
  },
  'automation.by_agent': {
    'a schedule of an agent edited by a member, which the policy for agents held': async (world) => {
      const { api, workspace } = world;
      const slug = await script(api, { approvalPolicy: 'agents' });
      await newVersion(api, slug, { 'main.py': 'print(1)' });
      await done(api.post(`/v1/scripts/${slug}/publish`, { version: 1 }));
      const agent = client({ token: await workspace.owner.agent() });
      const body = { name: 'Yearly', cron: '0 0 1 1 *' };
      const { id } = await done(agent.post(`/v1/scripts/${slug}/schedules`, body));
      const state = async () => {
        const { rows } = await database().query('SELECT by_agent, cron FROM schedules WHERE id = $1', [id]);
        return rows[0];
      };
      return {
        attempt: (other) => other.patch(`/v1/schedules/${id}`, { cron: '0 0 2 1 *' }),
        state,
        by: PEOPLE,
      };
    },
  },
};

/** What the rule itself says. */
const RULE = /takes an owner or admin in person/;

let world: World;
let strangers: Record<string, Client>;

beforeAll(async () => {
  const workspace = await newWorkspace();
  const { owner, slug } = workspace;
  const [admin, member, guest] = [
    await workspace.person('admin'),
    await workspace.person('member'),
    await workspace.person('guest'),
  ];
  world = { workspace, member, guest, api: client({ token: owner.token, workspace: slug }) };
  strangers = {
    'an API key': client({ token: await workspace.apiKey() }),
    "an owner's app": client({ token: await owner.agent() }),
    "an admin's app": client({ token: await admin.agent() }),
    'a member by token': client({ token: member.token, workspace: slug }),
    'a member in the app': client({ cookie: member.cookie, workspace: slug }),
  };
});

describe('only an owner or admin in person', () => {
  const paths = Object.entries(LOOSENINGS).flatMap(([key, ways]) =>
    Object.entries(ways).map(([what, prepare]) => [what, key as Key, prepare] as const),
  );

  it.each(paths)('grants %s', async (_, key, prepare) => {
    const { attempt, state, by } = await prepare(world);
    const before = await state();
    for (const [name, api] of Object.entries(strangers).filter(([who]) => by?.includes(who) ?? true)) {
      const refused = await attempt(api);
      expect.soft([name, refused.status, refused.body?.error?.code]).toEqual([name, 403, 'forbidden']);
      // A role may be refused before anybody asks what it would loosen.
      const message = String(refused.body?.error?.message);
      if (RULE.test(message)) expect.soft(message, name).toContain(WORDS[key]);
      expect.soft(await state(), name).toEqual(before);
    }
    const granted = await attempt(world.api);
    expect(granted.status, granted.text).toBeLessThan(300);
    expect(await state()).not.toEqual(before);
  });

  it('grants what an app asks for, by approving it', async () => {
    const { name } = await strictEnvironment(world.api);
    const asked = await done(
      strangers["an owner's app"]!.post('/v1/workspace/approval-requests', {
        action: 'environment.update',
        input: { environment: name, approvalPolicy: 'none' },
        reason: 'To go on alone.',
      }),
    );
    const path = `/v1/workspace/approval-requests/${asked.id}/approve`;
    for (const [who, api] of Object.entries(strangers)) {
      expect.soft([who, (await api.post(path)).status]).toEqual([who, 403]);
    }
    expect((await done(world.api.get(`${ENVIRONMENTS}/${name}`))).approvalPolicy).toBe('always');
    const { owner, slug } = world.workspace;
    const approved = await done(client({ cookie: owner.cookie, workspace: slug }).post(path));
    expect(approved.status).toBe('completed');
    expect((await done(world.api.get(`${ENVIRONMENTS}/${name}`))).approvalPolicy).toBe('none');
  });
});

it('an archived script gives its slug to no laxer one', async () => {
  const slug = await script(world.api, { approvalPolicy: 'always' });
  await done(world.api.delete(`/v1/scripts/${slug}`));
  const key = strangers['an API key']!;
  expect((await key.post('/v1/scripts', { slug, name: slug })).status).toBe(409);
  expect((await done(key.post(`/v1/scripts/${slug}/restore`))).approvalPolicy).toBe('always');
});

it('no route changes the plan of a workspace', async () => {
  expect((await world.api.patch('/v1/workspace', { plan: 'unlimited' })).status).toBe(400);
});

it('whoever may not loosen may still tighten, and say again what is', async () => {
  const { api, workspace } = world;
  const key = strangers['an API key']!;
  const { name } = await done(key.post(ENVIRONMENTS, { name: newSlug() }));
  await done(key.patch(`${ENVIRONMENTS}/${name}`, { approvalPolicy: 'always', agentsAllowed: false, name }));
  await done(key.delete(`${ENVIRONMENTS}/${name}`));
  await done(key.post(ENVIRONMENTS, { name, approvalPolicy: 'always', agentsAllowed: false }));

  const path = await newSecret(api);
  await done(key.put(path, secret({ value: 'sk_another_one' })));
  await done(key.put(path, secret({ hosts: ['a.example.org', '*.b.example.org'] })));
  await done(key.delete(path));
  await done(key.put(path, secret({ hosts: ['a.example.org'] })));

  const { id } = await newTeam(workspace, newSlug(), [world.guest]);
  await done(key.put(`${TEAMS}/${id}/members/${world.guest.id}`));
  await done(key.delete(`${TEAMS}/${id}/members/${world.guest.id}`));
});

async function done(answer: Promise<Answer>): Promise<Json> {
  const { status, text, body } = await answer;
  expect(status, text).toBeLessThan(300);
  return body as Json;
}

const absent = async (api: Client, path: string): Promise<boolean> => (await api.get(path)).status === 404;

/** What a change of one thing would change. */
function changing(api: Client, path: string, patch: object): Loosening {
  return { attempt: (other) => other.patch(path, patch), state: () => done(api.get(path)) };
}

function removing(api: Client, path: string, how = ''): Loosening {
  return {
    attempt: (other) => other.delete(`${path}${how}`),
    state: async () => {
      const { status, body } = await api.get(path);
      return status === 200 ? body : status;
    },
  };
}

function strictEnvironment(api: Client): Promise<Json> {
  return done(api.post(ENVIRONMENTS, { name: newSlug(), approvalPolicy: 'always', agentsAllowed: false }));
}

async function changingEnvironment({ api }: World, patch: object): Promise<Loosening> {
  return changing(api, `${ENVIRONMENTS}/${(await strictEnvironment(api)).id}`, patch);
}

function makingEnvironment(api: Client, body: { name: string; [rule: string]: unknown }): Loosening {
  return {
    attempt: (other) => other.post(ENVIRONMENTS, body),
    state: () => absent(api, `${ENVIRONMENTS}/${body.name}`),
  };
}

async function agent(api: Client, fields: object): Promise<string> {
  const slug = newSlug();
  await done(api.post('/v1/agents', { slug, name: slug, ...fields }));
  return `/v1/agents/${slug}`;
}

async function script(api: Client, gate: object): Promise<string> {
  const slug = newSlug();
  await done(api.post('/v1/scripts', { slug, name: slug }));
  if (Object.keys(gate).length > 0) await done(api.patch(`/v1/scripts/${slug}`, gate));
  return slug;
}

async function newSecret(api: Client): Promise<string> {
  const path = `${SECRETS}/${newSlug().replaceAll('-', '_')}`;
  await done(api.put(path, secret()));
  return path;
}

function settingSecret(api: Client, path: string, body: object): Loosening {
  return { attempt: (other) => other.put(path, body), state: () => done(api.get(path)) };
}
