import { CertificateAuthority } from '../../../../libs/egress/index.js';
import type { Answer, Client, TestWorkspace } from '../../../../libs/testing/index.js';
import { newId } from '../../../../src/core/crypto/ids.js';
import { database } from '../../../support/gatehouse.js';
import { archiveOf, newSlug } from '../../../support/scripts.js';
import { App, Browser } from '../../../support/oauth.js';
import { addPasskey } from '../../../support/second-factors.js';
import { connectApp } from './agent-grants.js';
import { signInOnceMore } from './another-session.js';

/** Where a resource is made. */
interface Surroundings {
  workspace: TestWorkspace;
  environment: string;
  restricted: boolean;
  api: Client;
  app: Client;
  post(path: string, body?: unknown, api?: Client): Promise<Answer['body']>;
  address(kind: string): Promise<string>;
}

const CODE = 'open("/outputs/out.txt", "w").write("out"); print(1)';
const NEW_ENVIRONMENT = {
  action: 'environment.create',
  input: { name: 'asked-for' },
  reason: 'For the test',
};
const NEW_KEY = { action: 'api_key.create', input: { name: 'asked for' }, reason: 'For the test' };

async function done(answer: Promise<Answer>): Promise<void> {
  const { status, text } = await answer;
  if (status >= 300) throw new Error(text);
}

/** As if a run of the script had failed. */
async function newError(world: Surroundings, status: string): Promise<string> {
  const slug = await world.address('script');
  const id = newId('error');
  await database().query(
    `INSERT INTO error_groups (id, workspace_id, environment_id, script_id, fingerprint, title, sample, count,
       last_event_id, last_run_id, last_version, status)
     SELECT $1, s.workspace_id, e.id, s.id, $1, 'exit code 1', 'exit code 1', 1, $2, $3, 1, $4
     FROM scripts s JOIN environments e ON e.workspace_id = s.workspace_id AND e.name = $5
     WHERE s.workspace_id = $6 AND s.slug = $7`,
    [id, newId('event'), newId('run'), status, world.environment, world.workspace.id, slug],
  );
  return id;
}

/** How one of each kind is made, and by what it is then named in a path: by one name or several. */
export const RESOURCES: Record<string, (world: Surroundings) => Promise<string | string[]>> = {
  apiKey: async (world) => (await world.post('/v1/workspace/api-keys', { name: 'a key' }, world.app)).id,

  session: async (world) => {
    await signInOnceMore(world.workspace);
    const { items } = (await world.app.get('/v1/account/sessions')).body;
    return items.find(({ current }: { current: boolean }) => !current).id;
  },

  passkey: async ({ workspace }) => (await addPasskey(workspace.owner)).id,

  personalToken: async (world) =>
    (await world.post('/v1/account/tokens', { name: 'a token', scopes: ['runs:read'] }, world.app)).id,

  connectedApp: async (world) => {
    await connectApp({ person: world.workspace.owner, workspace: world.workspace.slug });
    return (await world.app.get('/v1/account/apps')).body.items[0].id;
  },

  appRequest: async (world) => {
    const app = await App.registered();
    return app.begin(new Browser(app.baseUrl, world.workspace.owner.cookie));
  },

  approval: async (world) => (await world.post('/v1/workspace/approval-requests', NEW_ENVIRONMENT)).id,

  approvedRequest: async (world) => {
    const { id } = await world.post('/v1/workspace/approval-requests', NEW_KEY);
    await world.post(`/v1/workspace/approval-requests/${id}/approve`, undefined, world.app);
    return id;
  },

  environment: async (world) => {
    const { items } = (await world.api.get('/v1/workspace/environments')).body;
    if (world.environment !== 'production') {
      const acting = items.find(({ name }: { name: string }) => name === world.environment);
      return [acting.id, acting.name];
    }
    const made = await world.post('/v1/workspace/environments', { name: 'only-theirs' });
    return [made.id, made.name];
  },

  authoritiesHost: async (world) => {
    const { certificate } = new CertificateAuthority();
    const path = '/v1/workspace/host-authorities/only-theirs.example.com';
    await done(world.app.put(path, { certificates: certificate }));
    return 'only-theirs.example.com';
  },

  queue: async (world) => (await world.post('/v1/workspace/queues', { name: 'only-theirs' })).name,

  view: async (world) => {
    const view = { list: 'runs', name: newSlug(), search: 'since=day', shared: true };
    return (await world.post('/v1/workspace/views', view, world.app)).id;
  },

  secret: async (world) => {
    const body = { value: 'a secret value', hosts: ['api.example.com'] };
    await done(world.api.put('/v1/workspace/secrets/ONLY_THEIRS', body));
    return 'ONLY_THEIRS';
  },

  member: async (world) => {
    const { id } = await world.workspace.person('member');
    const { items } = (await world.api.get('/v1/workspace/members')).body;
    return items.find(({ userId }: { userId: string }) => userId === id).id;
  },

  user: async (world) => (await world.workspace.person('member')).id,

  teammate: async (world) => {
    const id = await world.address('user');
    await done(world.api.put(`/v1/workspace/teams/${await world.address('team')}/members/${id}`));
    return id;
  },

  invitation: async (world) =>
    (await world.post('/v1/workspace/invitations', { email: 'somebody@example.com' })).id,

  team: async (world) => (await world.post('/v1/workspace/teams', { name: 'A team' })).id,

  endpoint: async (world) => {
    const url = 'https://receiver.example.invalid/hook';
    const eventTypes = ['workspace.member.joined'];
    return (await world.post('/v1/workspace/webhook-endpoints', { url, eventTypes })).endpoint.id;
  },

  alert: async (world) => {
    const destination = { channel: 'webhook', url: 'https://receiver.example.invalid/alerts' };
    return (await world.post('/v1/alerts', { name: 'Theirs', on: ['failed'], destination })).id;
  },

  error: (world) => newError(world, 'open'),

  resolvedError: (world) => newError(world, 'resolved'),

  disabledEndpoint: async (world) => {
    const id = await world.address('endpoint');
    await database().query('UPDATE webhook_endpoints SET enabled = false WHERE id = $1', [id]);
    return id;
  },

  delivery: async (world) =>
    (await world.post(`/v1/workspace/webhook-endpoints/${await world.address('endpoint')}/test`)).deliveryId,

  script: async (world) => {
    const slug = newSlug();
    await world.post('/v1/scripts', { slug, name: slug });
    await world.post(`/v1/scripts/${slug}/versions`, { archive: await archiveOf({ 'main.py': CODE }) });
    await world.post(`/v1/scripts/${slug}/publish`, { version: 1 });
    if (world.restricted) {
      const change = { access: 'teams', teamIds: [await world.address('team')] };
      await done(world.api.patch(`/v1/scripts/${slug}`, change));
    }
    return slug;
  },

  draft: async (world) => {
    const slug = await world.address('script');
    await world.post(`/v1/scripts/${slug}/unpublish`);
    return slug;
  },

  archivedScript: async (world) => {
    const slug = await world.address('script');
    await done(world.api.delete(`/v1/scripts/${slug}`));
    return slug;
  },

  version: async (world) => {
    await world.address('script');
    return '1';
  },

  trial: async (world) => {
    const slug = await world.address('script');
    return (await world.post(`/v1/scripts/${slug}/trials`, { archive: await archiveOf({ 'main.py': CODE }) }))
      .id;
  },

  run: async (world) => (await world.post(`/v1/scripts/${await world.address('script')}/runs`, {})).id,

  /** One that goes on, and that nobody carries out. */
  runOperation: async (world) => {
    const { id } = await world.post('/v1/runs/cancel', { script: 'none' });
    await database().query(
      `UPDATE run_operations SET status = 'running', finished_at = NULL, due_at = now() + interval '1 day' WHERE id = $1`,
      [id],
    );
    return id;
  },

  delayedRun: async (world) =>
    (await world.post(`/v1/scripts/${await world.address('script')}/runs`, { startAt: '1h' })).id,

  heldRun: async (world) => {
    const slug = await world.address('script');
    await done(world.api.patch(`/v1/scripts/${slug}`, { approvalPolicy: 'always' }));
    return (await world.post(`/v1/scripts/${slug}/runs`, {})).id;
  },

  file: async (world) => {
    const { body } = await world.api.get(`/v1/runs/${await world.address('run')}`);
    return body.files[0].id;
  },

  agent: async (world) => {
    const slug = newSlug();
    await world.post('/v1/agents', { slug, name: slug });
    return slug;
  },

  disabledAgent: async (world) => {
    const slug = newSlug();
    await world.post('/v1/agents', { slug, name: slug, enabled: false });
    return slug;
  },

  conversation: async (world) => {
    const agent = `/v1/agents/${await world.address('disabledAgent')}`;
    await done(world.api.patch(agent, { enabled: true }));
    const { id } = await world.post(`${agent}/conversations`);
    await done(world.api.patch(agent, { enabled: false }));
    return id;
  },

  schedule: async (world) => {
    const body = { name: 'Yearly', cron: '0 0 1 1 *' };
    return (await world.post(`/v1/scripts/${await world.address('script')}/schedules`, body)).id;
  },

  trigger: async (world) => {
    const body = { name: 'On joining', eventType: 'workspace.member.joined' };
    return (await world.post(`/v1/scripts/${await world.address('script')}/triggers`, body)).id;
  },

  receipt: async (world) => {
    const hook = await world.address('hook');
    const { rows } = await database().query<{ workspace_id: string }>(
      'SELECT workspace_id FROM hooks WHERE id = $1',
      [hook],
    );
    const id = `rcp_${hook.slice(4)}`;
    await database().query(
      `INSERT INTO hook_receipts (id, workspace_id, hook_id, verdict, digest, body_bytes, body, headers, query)
       VALUES ($1, $2, $3, 'accepted', '', 2, '{}', '{}', '{}')`,
      [id, rows[0]!.workspace_id, hook],
    );
    return id;
  },

  hook: async (world) => {
    const body = { name: 'Pushes', verify: { scheme: 'github', secret: 'NO_SUCH_SECRET' } };
    return (await world.post(`/v1/scripts/${await world.address('script')}/hooks`, body)).id;
  },
};

/** Kinds that are named within another one: their name alone is nobody's. */
export const NAMED_WITHIN: readonly string[] = ['version'];

/** Kinds that an extension brings: they are the same for everybody who is signed in. */
export const OF_AN_EXTENSION: readonly string[] = ['page'];

/** Kinds of which a script has its own, and which are hidden with it. */
export const OF_A_SCRIPT: readonly string[] = [
  'script',
  'draft',
  'archivedScript',
  'run',
  'delayedRun',
  'heldRun',
  'file',
  'schedule',
  'trigger',
  'hook',
  'error',
  'resolvedError',
];

/** Kinds that belong to an environment. */
export const OF_AN_ENVIRONMENT: readonly string[] = [
  'conversation',
  'environment',
  'secret',
  'run',
  'delayedRun',
  'heldRun',
  'file',
  'schedule',
  'trigger',
  'hook',
  'error',
  'resolvedError',
  'endpoint',
  'disabledEndpoint',
  'delivery',
];

/** One of each kind that lists show, none in the way of another. */
export const LISTED: readonly string[] = [
  'session',
  'personalToken',
  'connectedApp',
  'apiKey',
  'environment',
  'secret',
  'member',
  'invitation',
  'team',
  'endpoint',
  'alert',
  'error',
  'delivery',
  'script',
  'run',
  'file',
  'agent',
  'schedule',
  'trigger',
  'hook',
  'approval',
];
