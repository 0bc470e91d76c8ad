// Plain writes over HTTP, eight at a time, against the same rows written by as many bare connections.
import pg from 'pg';

import { Table, throughput } from './support/measure.mjs';
import { post } from './support/http.mjs';
import { expect, openWorkbench } from './support/workbench.mjs';

const CONCURRENCY = 8;
const ROUNDS = 5;
const ROUND_MS = 3_000;
const LEAST = 1_000;

const table = new Table();
const bench = await openWorkbench({ GATEHOUSE_RATE_LIMIT: '0' });
try {
  let count = 0;
  const write = (path, body) => async () => {
    expect(await post(bench, path, JSON.stringify(body(++count))), 201);
  };
  await compare(
    'POST /v1/scripts',
    write('/v1/scripts', (n) => ({ slug: `bench-${n}`, name: `Bench ${n}` })),
  );
  await compare(
    'POST /v1/workspace/teams',
    write('/v1/workspace/teams', (n) => ({ name: `Bench ${n}` })),
  );
} finally {
  await bench.close();
}
table.print();

/** In turn, several times, so that noise meets both. */
async function compare(what, ours) {
  const pool = new pg.Pool({ connectionString: bench.url, max: CONCURRENCY });
  const bare = bareWrite(pool);
  const rates = { ours: [], bare: [] };
  try {
    await throughput(ours, CONCURRENCY, ROUND_MS);
    for (let round = 0; round < ROUNDS; round++) {
      rates.bare.push(await throughput(bare, CONCURRENCY, ROUND_MS / 3));
      rates.ours.push(await throughput(ours, CONCURRENCY, ROUND_MS));
    }
  } finally {
    await pool.end();
  }
  const [best, plain] = [Math.max(...rates.ours), Math.max(...rates.bare)];
  const note = `${best.toFixed(0)}/s against ${plain.toFixed(0)} bare transactions/s`;
  table.add(
    `${what}, best of ${ROUNDS}`,
    `${(best / plain).toFixed(2)}×`,
    `≥ ${LEAST}/s`,
    best >= LEAST,
    note,
  );
}

/** A script, an event and an audit entry in one transaction, by prepared statements. */
function bareWrite(pool) {
  const { id: workspaceId } = bench.workspace;
  const mark = Math.random().toString(36).slice(2, 10);
  let count = 0;
  return async () => {
    const id = `${mark}${String(++count).padStart(20, '0')}`;
    const client = await pool.connect();
    const run = (name, text, values) => client.query({ name, text, values });
    try {
      await client.query('BEGIN');
      await run(
        'script',
        'INSERT INTO scripts (id, workspace_id, slug, name, description) VALUES ($1, $2, $3, $3, $4)',
        [`scr_${id}`, workspaceId, `b-${id}`, ''],
      );
      await run(
        'event',
        `INSERT INTO events (id, workspace_id, type, data, dispatched_at) VALUES ($1, $2, 'script.created', $3, now())`,
        [`evt_${id}`, workspaceId, '{"version": null}'],
      );
      await run(
        'audit',
        `INSERT INTO audit_events (id, workspace_id, action, actor_type, target_type, target_id, details)
         VALUES ($1, $2, 'script.created', 'user', 'script', $3, '{"slug": "bench"}')`,
        [`aud_${id}`, workspaceId, `scr_${id}`],
      );
      await client.query('COMMIT');
    } finally {
      client.release();
    }
  };
}
