// Filing and deciding a request over HTTP against its bare row changes, and the audit list in a full workspace.
import pg from 'pg';

import { createClient } from '../../dist/libs/testing/index.js';
import { Table, interleaved, median } from './support/measure.mjs';
import { expect, openWorkbench } from './support/workbench.mjs';

const ROUNDS = 300;
const REQUESTS = '/v1/workspace/approval-requests';
const parts = new Set(process.argv.slice(2));
const wanted = (part) => parts.size === 0 || parts.has(part);

const table = new Table();
const bench = await openWorkbench({ GATEHOUSE_RATE_LIMIT: '0' });
try {
  if (wanted('decide')) await filingAndDeciding(bench);
  if (wanted('audit')) await listingAudit(bench);
} finally {
  await bench.close();
}
table.print();

async function filingAndDeciding({ api, gatehouse, workspace, url }) {
  const app = createClient({
    baseUrl: gatehouse.baseUrl,
    cookie: workspace.owner.cookie,
    workspace: workspace.slug,
  });
  let count = 0;
  const decided = async () => {
    const input = { name: `Acme ${++count}` };
    const { id } = expect(
      await api.post(REQUESTS, { action: 'workspace.rename', input, reason: 'Bench' }),
      201,
    );
    const { status } = expect(await app.post(`${REQUESTS}/${id}/approve`), 200);
    if (status !== 'completed') throw new Error(`The request is ${status}`);
  };
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const bare = await bareChanges(client, workspace);
    await interleaved(30, [bare, decided]);
    const [plain, ours] = (await interleaved(ROUNDS, [bare, decided])).map(median);
    const note = `${ours.toFixed(2)} ms against ${plain.toFixed(2)} ms`;
    table.add(
      'filing and deciding a request against two bare transactions',
      `${(ours / plain).toFixed(2)}×`,
      '≤ 4×',
      ours / plain <= 4,
      note,
    );
  } finally {
    await client.end();
  }
}

/** The same rows in two transactions, copied from a request that was decided over HTTP. */
async function bareChanges(client, workspace) {
  const run = (name, text, values) => client.query({ name, text, values });
  let count = 0;
  const newId = (prefix) => `${prefix}_0000bench${String(++count).padStart(17, '0')}`;
  const data = JSON.stringify({
    requestId: newId('apr'),
    action: 'workspace.rename',
    title: 'Rename the workspace',
    status: 'completed',
    runId: null,
    decidedBy: { userId: workspace.owner.id, name: workspace.owner.name },
  });
  const event = (type) =>
    run(
      'event',
      `INSERT INTO events (id, workspace_id, environment_id, type, data, caused_by_run_id, dispatched_at)
       VALUES ($1, $2, NULL, $3, $4, NULL, now())`,
      [newId('evt'), workspace.id, type, data],
    );
  const audit = (action, target) =>
    run(
      'audit',
      `INSERT INTO audit_events (id, workspace_id, action, actor_type, actor_user_id, target_type, target_id, details)
       VALUES ($1, $2, $3, 'user', $4, 'approval_request', $5, '{"action": "workspace.rename"}')`,
      [newId('aud'), workspace.id, action, workspace.owner.id, target],
    );
  return async () => {
    const id = newId('apr');
    await client.query('BEGIN');
    await run(
      'file',
      `INSERT INTO approval_requests (id, workspace_id, environment_id, action, title, summary, input, reason, least_role,
         requested_by_user_id, behind_user_id, credential_kind, credential_id, expires_at)
       VALUES ($1, $2, $3, 'workspace.rename', 'Rename the workspace', 'Rename the workspace Acme to Beta.',
         '{"name":"Beta"}', 'Bench', 'owner', $4, $4, 'personal_token', 'pat_0', now() + interval '24 hours')`,
      [id, workspace.id, workspace.environmentId, workspace.owner.id],
    );
    await event('approval.requested');
    await audit('approval.requested', id);
    await client.query('COMMIT');
    await client.query('BEGIN');
    await run('lock', 'SELECT FROM approval_requests WHERE id = $1 FOR UPDATE', [id]);
    await run('rename', 'UPDATE workspaces SET name = $2 WHERE id = $1', [workspace.id, `Beta ${count}`]);
    await audit('workspace.renamed', workspace.id);
    await run(
      'decide',
      `UPDATE approval_requests SET status = 'completed', decided_at = now(), decided_by_user_id = $2, result = '{}'
       WHERE id = $1`,
      [id, workspace.owner.id],
    );
    await event('approval.decided');
    await audit('approval.approved', id);
    await client.query('COMMIT');
  };
}

async function listingAudit(bench) {
  const few = await workspaceWithEntries(bench, 'few', 1_000);
  const many = await workspaceWithEntries(bench, 'many', 1_000_000);
  await bench.pool.query('VACUUM ANALYZE audit_events');
  const page = (api) => async () => expect(await api.get('/v1/workspace/audit-events'), 200);
  await interleaved(20, [page(few), page(many)]);
  const [short, long] = (await interleaved(ROUNDS, [page(few), page(many)])).map(median);
  const note = `${long.toFixed(2)} ms against ${short.toFixed(2)} ms`;
  table.add(
    'page 1 of 1,000,000 audit entries against 1,000',
    `${(long / short).toFixed(2)}×`,
    '≤ 1.5×',
    long / short <= 1.5,
    note,
  );
}

/** A workspace with that many entries, written by the database itself. */
async function workspaceWithEntries({ gatehouse, pool, workspace }, slug, count) {
  const session = createClient({ baseUrl: gatehouse.baseUrl, cookie: workspace.owner.cookie });
  expect(await session.post('/v1/workspaces', { name: slug, slug }), 201);
  await pool.query(
    `INSERT INTO audit_events (id, workspace_id, action, actor_type, actor_user_id, target_type, target_id)
     SELECT 'aud_00' || substr(md5($1), 1, 4) || lpad(n::text, 20, '0'), w.id, 'secret.updated', 'user', $3, 'secret', 'sec_0'
     FROM workspaces w, generate_series(1, $2::int) AS n WHERE w.slug = $1`,
    [slug, count, workspace.owner.id],
  );
  return createClient({ baseUrl: gatehouse.baseUrl, token: workspace.owner.token, workspace: slug });
}
