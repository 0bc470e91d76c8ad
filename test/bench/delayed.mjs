// A hundred thousand delayed runs whose time comes at the same moment: how long until each of them waits for a worker.
import { setTimeout as sleep } from 'node:timers/promises';

import { Table } from './support/measure.mjs';
import { openWorkbench, publish } from './support/workbench.mjs';

const RUNS = 100_000;
const MOST_MS = 2_000;
const LIMIT_MS = 120_000;

const table = new Table();
// No worker takes any, and each process of the service looks at the clock.
const bench = await openWorkbench({ GATEHOUSE_ROLE: 'api', GATEHOUSE_RATE_LIMIT: '0' });
try {
  await publish(bench.api, 'later', 'main.py', 'pass\n', { command: 'python3 main.py' });
  const due = await fill(bench);
  const took = await untilQueued(bench, due);
  const what = `${RUNS.toLocaleString('en')} delayed runs that are due at the same moment, all queued`;
  table.add(what, `${(took / 1000).toFixed(1)} s`, `≤ ${MOST_MS / 1000} s`, took <= MOST_MS);
} finally {
  await bench.close();
}
table.print();

/** Returns when they are due: far enough from now that all are written by then. */
async function fill({ pool, workspace }) {
  const { rows } = await pool.query(
    `SELECT date_trunc('second', clock_timestamp()) + interval '60 seconds' AS due`,
  );
  const { due } = rows[0];
  await pool.query(
    `INSERT INTO runs (id, workspace_id, environment_id, script_id, script_slug, version_id, version, status, phase, inputs,
       started_by_user_id, by_agent, interface, test, start_at)
     SELECT 'run_0bench' || lpad(n::text, 20, '0'), s.workspace_id, e.id, s.id, s.slug, v.id, 1, 'running', 'delayed',
       json_build_object('order', n), $3, false, 'api', false, $4
     FROM generate_series(1, $2::int) AS n
       JOIN scripts s ON s.workspace_id = $1 JOIN script_versions v ON v.script_id = s.id
       JOIN environments e ON e.workspace_id = $1 AND e.name = 'production'`,
    [workspace.id, RUNS, workspace.owner.id, due],
  );
  await pool.query('VACUUM ANALYZE runs');
  const { rows: after } = await pool.query('SELECT clock_timestamp() AS now');
  if (after[0].now >= due) throw new Error('They were due before all were written.');
  return due;
}

/** Milliseconds from the moment they were due, by the database's clock. */
async function untilQueued({ pool }, due) {
  for (;;) {
    const { rows } = await pool.query(
      `SELECT EXISTS (SELECT FROM runs WHERE phase = 'delayed') AS waits, clock_timestamp() AS now`,
    );
    const took = rows[0].now.getTime() - due.getTime();
    if (!rows[0].waits) return took;
    if (took > LIMIT_MS) throw new Error('Some are still delayed after two minutes.');
    await sleep(50);
  }
}
