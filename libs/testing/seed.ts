import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

import { type Client, createClient } from './client.js';
import type { ServiceDatabase } from './service-database.js';

/** argon2id of PASSWORD, with the least memory and passes: comparing it takes no time, where a real one takes 15 ms. */
const PASSWORD = 'correct horse battery staple';
const PASSWORD_HASH =
  '$argon2id$v=19$m=8,t=1,p=1$2gzeqKzGi48+CKgRoZVcMw$lfHEEEdQZGYygN4u6jhc+VJXPJbcDPKNAXCM9phchj4';

export type TestRole = 'owner' | 'admin' | 'member' | 'guest';

export interface TestPerson {
  id: string;
  name: string;
  email: string;
  password: string;
  /** `name=value` of a session. */
  cookie: string;
  /** A personal access token with every scope but `mcp`, those of extensions included. */
  token: string;
  tokenWith(options: {
    scopes?: string[];
    workspaces?: string[] | null;
    expiresAt?: string | null;
  }): Promise<string>;
  /** An agent's access token of a grant by this person for the workspace. */
  agent(options?: { scopes?: string[] }): Promise<string>;
}

export interface TestWorkspace {
  id: string;
  slug: string;
  /** Of `production`, the default environment. */
  environmentId: string;
  defaultTeamId: string;
  owner: TestPerson;
  /** A new person who is a member of the workspace in that role. */
  person(role: TestRole): Promise<TestPerson>;
  /** A new API key, bound to an environment where one is named, and within scopes where they are given. */
  apiKey(environment?: string | null, limits?: { scopes?: string[]; expiresAt?: string }): Promise<string>;
}

/** Makes workspaces with people in them: people by the database, since inviting takes mail, all else over HTTP. */
export class Seed {
  private scopes: Promise<string[]> | undefined;

  constructor(
    private readonly baseUrl: string,
    private readonly database: ServiceDatabase,
  ) {}

  /** @param slug by default one that no other has */
  async workspace(slug = `w-${randomBytes(6).toString('hex')}`): Promise<TestWorkspace> {
    const account = await this.account('Olive Owner');
    const made = await this.as(account.cookie).post('/v1/workspaces', { name: 'Acme', slug });
    if (made.status !== 201) throw new Error(`No workspace: ${made.text}`);
    const { rows } = await this.database.query<{ id: string; environmentId: string; teamId: string }>(
      `SELECT w.id, e.id AS "environmentId", t.id AS "teamId" FROM workspaces w
       JOIN environments e ON e.workspace_id = w.id AND e.is_default
       JOIN teams t ON t.workspace_id = w.id AND t.is_default WHERE w.slug = $1`,
      [slug],
    );
    const { id, environmentId, teamId } = rows[0]!;
    return {
      id,
      slug,
      environmentId,
      defaultTeamId: teamId,
      owner: await this.person(account, id),
      person: async (role) => {
        const other = await this.account(`${role[0]!.toUpperCase()}${role.slice(1)} Person`);
        await this.join(other.id, id, role, teamId);
        return this.person(other, id);
      },
      apiKey: async (environment, limits) => {
        const key = await this.as(account.cookie, slug).post('/v1/workspace/api-keys', {
          name: 'test key',
          ...(environment != null && { environment }),
          ...limits,
        });
        if (key.status !== 201) throw new Error(`No API key: ${key.text}`);
        return (key.body as { key: string }).key;
      },
    };
  }

  private as(cookie: string, workspace?: string): Client {
    return createClient({ baseUrl: this.baseUrl, cookie, ...(workspace !== undefined && { workspace }) });
  }

  private async account(name: string) {
    const id = newId('usr');
    const email = `${randomBytes(8).toString('hex')}@example.com`;
    await this.database.query(
      `INSERT INTO users (id, email, name, password_hash, email_proven_at) VALUES ($1, $2, $3, $4, now())`,
      [id, email, name, PASSWORD_HASH],
    );
    const login = await createClient({ baseUrl: this.baseUrl }).post('/v1/auth/login', {
      email,
      password: PASSWORD,
    });
    const cookie = login.headers.get('set-cookie')?.split(';')[0];
    if (cookie === undefined) throw new Error(`Nobody could sign in: ${login.text}`);
    return { id, name, email, password: PASSWORD, cookie };
  }

  private async person(
    account: Awaited<ReturnType<Seed['account']>>,
    workspaceId: string,
  ): Promise<TestPerson> {
    const every = await (this.scopes ??= this.everyScope(account.cookie));
    const tokenWith: TestPerson['tokenWith'] = async ({ scopes = every, workspaces, expiresAt }) => {
      const response = await this.as(account.cookie).post('/v1/account/tokens', {
        name: 'test token',
        scopes,
        ...(workspaces !== undefined && { workspaces }),
        ...(expiresAt !== undefined && { expiresAt }),
      });
      if (response.status !== 201) throw new Error(`No token: ${response.text}`);
      return (response.body as { token: string }).token;
    };
    return {
      ...account,
      token: await tokenWith({}),
      tokenWith,
      agent: ({ scopes = every } = {}) => this.agent(account.id, workspaceId, scopes),
    };
  }

  /** Of the service, which knows those of its extensions. `mcp` is for who opens that door alone, and is always said. */
  private async everyScope(cookie: string): Promise<string[]> {
    const { status, body, text } = await this.as(cookie).get('/v1/account/scopes');
    if (status !== 200) throw new Error(`No scopes: ${text}`);
    return (body as { items: string[] }).items.filter((scope) => scope !== 'mcp');
  }

  private async join(userId: string, workspaceId: string, role: TestRole, teamId: string): Promise<void> {
    await this.database.query(
      'INSERT INTO memberships (id, workspace_id, user_id, role) VALUES ($1, $2, $3, $4)',
      [newId('mem'), workspaceId, userId, role],
    );
    if (role === 'guest') return;
    await this.database.query('INSERT INTO team_members (team_id, user_id) VALUES ($1, $2)', [
      teamId,
      userId,
    ]);
  }

  private async agent(userId: string, workspaceId: string, scopes: string[]): Promise<string> {
    const grant = newId('gra');
    const body = `svc_oat_${Array.from(randomBytes(37), (byte) => BASE62[byte % 62]).join('')}`;
    const token = body + base62(crc32(body));
    await this.database.query(
      `INSERT INTO agent_grants (id, user_id, workspace_id, app_name, client_id, scopes)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [grant, userId, workspaceId, 'Test agent', 'https://agent.test/client.json', scopes],
    );
    await this.database.query(
      `INSERT INTO agent_access_tokens (hash, grant_id, expires_at) VALUES ($1, $2, now() + interval '1 hour')`,
      [createHash('sha256').update(token).digest(), grant],
    );
    return token;
  }
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function base62(value: number): string {
  let digits = '';
  for (let rest = value; digits.length < 6; rest = Math.floor(rest / 62)) digits = BASE62[rest % 62] + digits;
  return digits;
}

function newId(prefix: string): string {
  const time = Date.now().toString(32).padStart(10, '0');
  const random = Array.from(randomBytes(16), (byte) => (byte % 32).toString(32)).join('');
  const crockford = (text: string): string =>
    [...text].map((digit) => '0123456789abcdefghjkmnpqrstvwxyz'[Number.parseInt(digit, 32)]).join('');
  return `${prefix}_${crockford(time + random)}`;
}
