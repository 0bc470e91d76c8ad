import { SCOPES } from '../../../../src/core/access/scopes.js';
import { issueToken } from '../../../../src/core/crypto/tokens.js';
import type { TestPerson, TestRole, TestWorkspace } from '../../../../libs/testing/index.js';
import { client, database, newWorkspace } from '../../../support/gatehouse.js';
import { type Consent, signInCommandLine } from '../../../support/oauth.js';
import { connectApp } from './agent-grants.js';
import type { Kind } from './route-line.js';

/** Somebody or something that sends requests. */
export interface Principal {
  name: string;
  /** null: no credential, or none that is good. */
  kind: Kind | null;
  /** In the workspace. */
  role: TestRole;
  /** Does not get into the workspace or environment that it names. */
  stoppedAt?: 400 | 403;
  /** Was granted every scope but the one that the route asks for. */
  unscoped?: true;
  /** Was given scopes by name: every one, or all but the one that the route asks for. */
  scopes?: 'all' | 'others';
  /** An API key or an app's grant that is bound to an environment. */
  bound?: true;
  /** The headers of a request of its to a route with that scope. */
  headers(scope: string | null): Promise<Record<string, string>>;
}

const ROLES = ['owner', 'admin', 'member', 'guest'] as const;

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Everybody whom the routes of a workspace are tried with. */
export async function principalsOf(workspace: TestWorkspace): Promise<Principal[]> {
  const { slug, owner } = workspace;
  const here = { 'x-workspace': slug };
  const people = {
    owner,
    admin: await workspace.person('admin'),
    member: await workspace.person('member'),
    guest: await workspace.person('guest'),
  };
  const outsider = (await newWorkspace()).owner;
  const environments = client({ cookie: owner.cookie, workspace: slug });
  await environments.post('/v1/workspace/environments', { name: 'staging' });
  const agentOf = (person: TestPerson, without?: string) =>
    connectApp({
      person,
      workspace: slug,
      ...(without !== undefined && { without }),
    });
  const commandLineOf = async (person: TestPerson, consent: Partial<Consent> = {}) =>
    (await signInCommandLine(person, { workspace: slug, ...consent })).access_token;

  const fixed = (
    name: string,
    kind: Kind | null,
    role: TestRole,
    headers: Record<string, string>,
    special: Pick<Principal, 'stoppedAt' | 'bound' | 'scopes'> = {},
  ): Principal => ({ name, kind, role, ...special, headers: async () => headers });

  const inTheWorkspace = ROLES.map(async (role) => [
    fixed(`${role} in the app`, 'session', role, { cookie: people[role].cookie, ...here }),
    fixed(`${role} by token`, 'personal_token', role, { ...bearer(people[role].token), ...here }),
    fixed(`${role} by an agent`, 'agent', role, bearer(await agentOf(people[role]))),
    fixed(`${role} at the command line`, 'personal_token', role, {
      ...bearer(await commandLineOf(people[role])),
      ...here,
    }),
  ]);

  const boundAgentOf = (person: TestPerson) =>
    connectApp({ person, workspace: slug, environment: 'production' });
  const boundAgents = await Promise.all(
    (['owner', 'member', 'guest'] as const).map(async (role) =>
      fixed(
        `${role} by an agent of one environment`,
        'agent',
        role,
        bearer(await boundAgentOf(people[role])),
        {
          bound: true,
        },
      ),
    ),
  );
  const boundKey = await workspace.apiKey('production');
  const keys = [
    fixed('API key', 'api_key', 'admin', bearer(await workspace.apiKey())),
    fixed('API key in another environment', 'api_key', 'admin', {
      ...bearer(await workspace.apiKey()),
      'x-environment': 'staging',
    }),
    fixed('bound API key', 'api_key', 'admin', bearer(boundKey), { bound: true }),
    fixed(
      'API key with every scope',
      'api_key',
      'admin',
      bearer(await workspace.apiKey(null, { scopes: [...SCOPES] })),
      { scopes: 'all' },
    ),
    fixed(
      'bound API key with every scope',
      'api_key',
      'admin',
      bearer(await workspace.apiKey('production', { scopes: [...SCOPES] })),
      { bound: true, scopes: 'all' },
    ),
    fixed(
      'owner by token with every scope',
      'personal_token',
      'owner',
      { ...bearer(await owner.tokenWith({ scopes: [...SCOPES] })), ...here },
      { scopes: 'all' },
    ),
    fixed(
      'bound API key that names its environment',
      'api_key',
      'admin',
      { ...bearer(boundKey), 'x-environment': 'production' },
      { bound: true },
    ),
    fixed(
      'bound API key that names another environment',
      'api_key',
      'admin',
      { ...bearer(boundKey), 'x-environment': 'staging' },
      { bound: true, stoppedAt: 403 },
    ),
  ];

  // Leaving takes the grant along; here only the membership is gone, as if that had been forgotten.
  const leftAgent = async () => {
    const person = await workspace.person('member');
    const token = await agentOf(person);
    await database().query('DELETE FROM memberships WHERE user_id = $1', [person.id]);
    return token;
  };
  const ownersAgent = await agentOf(owner);
  const elsewhere = (await newWorkspace()).slug;
  const byOutsider = bearer(outsider.token);
  const stopped = [
    fixed(
      'outsider in the app',
      'session',
      'owner',
      { cookie: outsider.cookie, ...here },
      { stoppedAt: 403 },
    ),
    fixed('outsider by token', 'personal_token', 'owner', { ...byOutsider, ...here }, { stoppedAt: 403 }),
    fixed('outsider by an agent', 'agent', 'owner', bearer(await leftAgent()), { stoppedAt: 403 }),
    fixed(
      'token for other workspaces only',
      'personal_token',
      'owner',
      { ...bearer(await tokenForAnother(owner)), ...here },
      { stoppedAt: 403 },
    ),
    fixed(
      'agent that names another workspace',
      'agent',
      'owner',
      { ...bearer(ownersAgent), 'x-workspace': elsewhere },
      { stoppedAt: 403 },
    ),
    fixed(
      'command line that names another workspace',
      'personal_token',
      'owner',
      { ...bearer(await commandLineOf(owner)), 'x-workspace': elsewhere },
      { stoppedAt: 403 },
    ),
    fixed(
      'token that names no such workspace',
      'personal_token',
      'owner',
      { ...bearer(owner.token), 'x-workspace': `${slug}-not` },
      { stoppedAt: 403 },
    ),
    fixed('token that names no workspace', 'personal_token', 'owner', bearer(owner.token), {
      stoppedAt: 400,
    }),
    fixed(
      'session that names no workspace',
      'session',
      'owner',
      { cookie: owner.cookie },
      { stoppedAt: 400 },
    ),
    fixed(
      'owner in an environment that there is not',
      'personal_token',
      'owner',
      { ...bearer(owner.token), ...here, 'x-environment': 'nowhere' },
      { stoppedAt: 400 },
    ),
    fixed(
      'API key in an environment that there is not',
      'api_key',
      'admin',
      { ...bearer(await workspace.apiKey()), 'x-environment': 'nowhere' },
      { stoppedAt: 400 },
    ),
    fixed('removed member in the app', 'session', 'member', await removedMember(workspace), {
      stoppedAt: 403,
    }),
  ];

  const unscoped: Principal[] = [
    {
      name: 'owner by token without the scope',
      kind: 'personal_token',
      role: 'owner',
      unscoped: true,
      headers: perScope(async (scope) => ({
        ...bearer(await owner.tokenWith({ scopes: SCOPES.filter((other) => other !== scope) })),
        ...here,
      })),
    },
    {
      name: 'API key without the scope',
      kind: 'api_key',
      role: 'admin',
      unscoped: true,
      scopes: 'others',
      headers: perScope(async (scope) =>
        bearer(await workspace.apiKey(null, { scopes: SCOPES.filter((other) => other !== scope) })),
      ),
    },
    {
      name: "owner's agent without the scope",
      kind: 'agent',
      role: 'owner',
      unscoped: true,
      headers: perScope(async (scope) => bearer(await agentOf(owner, scope))),
    },
  ];

  return [
    ...(await Promise.all(inTheWorkspace)).flat(),
    ...keys,
    ...boundAgents,
    fixed(
      'owner at the command line of one environment',
      'personal_token',
      'owner',
      { ...bearer(await commandLineOf(owner, { environment: 'production' })), ...here },
      { bound: true },
    ),
    ...stopped,
    ...unscoped,
    ...(await withoutGoodCredential(workspace, await agentOf(owner))),
  ];
}

async function withoutGoodCredential(workspace: TestWorkspace, agent: string): Promise<Principal[]> {
  const { owner, slug } = workspace;
  const app = client({ cookie: owner.cookie, workspace: slug });
  const sql = database();
  const token = (await app.post('/v1/account/tokens', { name: 'revoked', scopes: SCOPES })).body;
  await app.delete(`/v1/account/tokens/${token.id}`);
  const key = (await app.post('/v1/workspace/api-keys', { name: 'revoked' })).body;
  await app.delete(`/v1/workspace/api-keys/${key.id}`);
  const expiring = await owner.tokenWith({ expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
  await sql.query(
    `UPDATE personal_tokens SET expires_at = now() - interval '1 second' WHERE user_id = $1 AND expires_at IS NOT NULL`,
    [owner.id],
  );
  const ended = await workspace.apiKey(null, { expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
  await sql.query(
    `UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE workspace_id = $1 AND expires_at IS NOT NULL`,
    [workspace.id],
  );
  await sql.query(
    `UPDATE agent_access_tokens SET expires_at = now() - interval '1 second'
     WHERE hash = sha256(convert_to($1, 'UTF8'))`,
    [agent],
  );
  const { headers } = await client().post('/v1/auth/login', { email: owner.email, password: owner.password });
  const cookie = headers.get('set-cookie')!.split(';')[0]!;
  await client({ cookie }).post('/v1/auth/logout');
  const bad: Record<string, Record<string, string>> = {
    nobody: {},
    'malformed token': bearer('svc_pat_nonsense'),
    'mistyped token': bearer(`${owner.token.slice(0, -1)}${owner.token.endsWith('0') ? '1' : '0'}`),
    'unknown token': bearer(issueToken('personal').token),
    'unknown API key': bearer(issueToken('apiKey').token),
    'revoked token': bearer(token.token),
    'revoked API key': bearer(key.key),
    'expired API key': bearer(ended),
    'expired token': bearer(expiring),
    'expired agent': bearer(agent),
    'session that ended': { cookie },
    'bad token beside a good session': { ...bearer('svc_pat_nonsense'), cookie: owner.cookie },
  };
  return Object.entries(bad).map(([name, credential]) => ({
    name,
    kind: null,
    role: 'owner',
    headers: async () => ({ ...credential, 'x-workspace': slug }),
  }));
}

async function tokenForAnother(owner: TestPerson): Promise<string> {
  const slug = `other-${owner.id.slice(-12)}`;
  const made = await client({ cookie: owner.cookie }).post('/v1/workspaces', { name: 'Other', slug });
  if (made.status !== 201) throw new Error(made.text);
  return owner.tokenWith({ workspaces: [slug] });
}

async function removedMember(workspace: TestWorkspace): Promise<Record<string, string>> {
  const person = await workspace.person('member');
  await database().query('DELETE FROM team_members WHERE user_id = $1', [person.id]);
  await database().query('DELETE FROM memberships WHERE user_id = $1', [person.id]);
  return { cookie: person.cookie, 'x-workspace': workspace.slug };
}

function perScope(make: (scope: string) => Promise<Record<string, string>>): Principal['headers'] {
  const made = new Map<string, Promise<Record<string, string>>>();
  return (scope) => {
    const key = scope ?? 'workspace:read';
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key)!;
  };
}
