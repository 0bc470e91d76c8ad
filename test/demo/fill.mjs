import { setTimeout as sleep } from 'node:timers/promises';

import { archiveOf, createClient } from '../../dist/libs/testing/index.js';
import { SCRIPTS } from './scripts.mjs';
import { spread } from './spread.mjs';

const AT_ONCE = 6;
const PASSWORD = 'a harbour by the sea';

/** Names as people have them. */
const PEOPLE = [
  ['Marta Oliveira', 'admin'],
  ['Jonas Eriksen', 'member'],
  ['Ayesha Khan', 'member'],
  ['Luca Bianchi', 'member'],
  ['Siobhán O’Neill', 'guest'],
];

/**
 * Fills an instance with a made-up team: people, twelve scripts, runs that really ran, approvals that wait, schedules,
 * triggers, secrets and endpoints; then spreads what happened over the last month.
 *
 * @param {{ baseUrl: string, email: string, password: string, workspace: string }} owner
 * @param {{ databaseUrl: string, receivers?: string[], runs?: number, say?: (line: string) => void }} options
 *   receivers: addresses that take deliveries
 */
export async function fill(owner, { databaseUrl, receivers = [], runs = 400, say = () => undefined }) {
  const { baseUrl, workspace } = owner;
  const olive = await signIn(owner);
  const act = calls(olive);
  await act.patch('/v1/workspace', { name: 'Harbour & Co' });
  say('People …');
  const people = [];
  for (const [name, role] of PEOPLE) people.push(await join(act, { baseUrl, workspace, name, role }));
  const team = await act.post('/v1/workspace/teams', { name: 'Finance' });
  for (const person of people.slice(0, 2))
    await act.put(`/v1/workspace/teams/${team.id}/members/${person.id}`);
  await act.post('/v1/workspace/environments', { name: 'staging', approvalPolicy: 'none' });
  await act.post('/v1/workspace/invitations', { email: 'tomas@example.com', role: 'member' });
  for (const [name, host] of [
    ['STRIPE_KEY', 'api.stripe.com'],
    ['HUBSPOT_TOKEN', 'api.hubspot.com'],
    ['POSTMARK_TOKEN', 'api.postmarkapp.com'],
  ]) {
    await act.put(`/v1/workspace/secrets/${name}`, {
      value: `demo-${name.toLowerCase()}-value`,
      hosts: [host],
    });
  }
  for (const url of receivers) {
    await act.post('/v1/workspace/webhook-endpoints', { url, description: 'The warehouse’s own system' });
  }
  say('Scripts …');
  for (const script of SCRIPTS) await publish(act, script);
  await automate(act);
  const key = await act.post('/v1/workspace/api-keys', { name: 'shop backend' });
  say(`${runs} runs …`);
  const callers = [
    olive,
    ...people.slice(0, 4).map(({ client }) => client),
    createClient({ baseUrl, token: key.key }),
  ];
  await runAll(callers, runs);
  await askAndDecide({ owner, act, people });
  await settle(act);
  say('Spreading it over a month …');
  await spread(databaseUrl);
}

async function signIn({ baseUrl, email, password, workspace }) {
  const answer = await createClient({ baseUrl, headers: { origin: baseUrl } }).post('/v1/auth/login', {
    email,
    password,
  });
  if (answer.status !== 200) throw new Error(`Nobody could sign in as ${email}: ${answer.text}`);
  const cookie = answer.headers.get('set-cookie').split(';')[0];
  return createClient({ baseUrl, cookie, workspace, headers: { origin: baseUrl } });
}

/** The same calls, which fail where the service refuses, and give the body. */
function calls(client) {
  const call =
    (method) =>
    async (path, ...rest) => {
      const answer = await client[method](path, ...rest);
      if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.text}`);
      return answer.body;
    };
  return {
    get: call('get'),
    post: call('post'),
    put: call('put'),
    patch: call('patch'),
    delete: call('delete'),
  };
}

async function join(act, { baseUrl, workspace, name, role }) {
  const email = `${name
    .split(' ')[0]
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z]/g, '')}@example.com`;
  const { link } = await act.post('/v1/workspace/invitations', { email, role });
  const token = link.split('/').at(-1);
  const accepted = await createClient({ baseUrl, headers: { origin: baseUrl } }).post(
    `/v1/invitations/${token}/accept`,
    { name, password: PASSWORD },
  );
  if (accepted.status >= 400) throw new Error(`${email} could not join: ${accepted.text}`);
  const client = await signIn({ baseUrl, email, password: PASSWORD, workspace });
  const { body } = await client.get('/v1/auth/session');
  return { id: body.id, name, email, password: PASSWORD, client };
}

async function publish(act, { slug, name, description, tags, files, version = {}, settings, readme }) {
  await act.post('/v1/scripts', { slug, name, description });
  const { number } = await act.post(`/v1/scripts/${slug}/versions`, {
    archive: await archiveOf(files),
    tags,
    via: 'cli',
    ...(readme && { readme }),
    ...version,
  });
  await act.post(`/v1/scripts/${slug}/publish`, { version: number });
  if (settings) await act.patch(`/v1/scripts/${slug}`, settings);
}

async function automate(act) {
  const schedules = [
    ['daily-sales', 'Every weekday morning', '30 6 * * mon-fri', { day: '2026-11-20' }],
    ['sync-contacts', 'Nightly', '15 2 * * *', {}],
    ['check-certificates', 'Mondays', '0 7 * * mon', {}],
  ];
  for (const [slug, name, cron, inputs] of schedules) {
    await act.post(`/v1/scripts/${slug}/schedules`, { name, cron, timezone: 'Europe/Berlin', inputs });
  }
  await act.post('/v1/scripts/clean-temp-files/triggers', {
    name: 'After a failed stock check',
    eventType: 'run.failed',
    filter: { 'script.slug': 'stock-check' },
    inputs: {},
  });
}

async function runAll(callers, count) {
  const turns = SCRIPTS.flatMap((script) => Array.from({ length: script.share }, () => script));
  let next = 0;
  const work = async () => {
    while (next < count) {
      const i = next++;
      const script = turns[(i * 7) % turns.length];
      const caller = callers[(i * 5) % callers.length];
      const answer = await caller.post(`/v1/scripts/${script.slug}/runs`, {
        inputs: script.inputs?.(i) ?? {},
      });
      if (answer.status >= 400) throw new Error(`A run of ${script.slug} was refused: ${answer.text}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Most requests are decided; a few are left for the inbox. */
async function askAndDecide({ owner, act, people }) {
  const { items } = await act.get('/v1/workspace/approval-requests?status=pending&limit=100');
  for (const [i, { id }] of items.entries()) {
    if (i < 3) continue;
    if (i % 5 === 4) {
      await act.post(`/v1/workspace/approval-requests/${id}/deny`, {
        reason: 'The customer was paid back already.',
      });
    } else {
      await act.post(`/v1/workspace/approval-requests/${id}/approve`);
    }
  }
  const { token } = await calls(people[1].client).post('/v1/account/tokens', {
    name: 'laptop',
    scopes: ['workspace.approvals:write', 'workspace.approvals:read'],
  });
  const asker = calls(createClient({ baseUrl: owner.baseUrl, token, workspace: owner.workspace }));
  await asker.post('/v1/workspace/approval-requests', {
    action: 'member.invite',
    input: { email: 'ines@example.com', role: 'member' },
    reason: 'Inês begins on Monday in the warehouse team.',
  });
}

/** Until nothing runs any more. */
async function settle(act) {
  for (;;) {
    const { items } = await act.get('/v1/runs?status=running&limit=1');
    if (items.length === 0) return;
    await sleep(200);
  }
}
