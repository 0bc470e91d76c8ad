import { setTimeout as sleep } from 'node:timers/promises';

import { startGatehouse } from '../../../dist/libs/testing/index.js';
import { newId } from '../../../dist/src/core/crypto/ids.js';
import { openWorkbench, publish } from './workbench.mjs';

const SCRIPTS = 20;
const LIMIT_MS = 60_000;

/**
 * So many schedules due at one moment: how long until every run is committed with its event, and none twice. The process
 * that fires them executes one run at a time meanwhile.
 */
export async function schedulesDueAtOnce(table, { schedules = 10_000, processes = 1 } = {}) {
  const bench = await openWorkbench({ GATEHOUSE_ROLE: 'api', GATEHOUSE_RATE_LIMIT: '0' });
  const workers = [];
  try {
    for (let index = 0; index < SCRIPTS; index++) {
      await publish(bench.api, `due-${index}`, 'main.py', 'pass\n', { command: 'python3 main.py' });
    }
    await seed(bench, schedules);
    const env = { DATABASE_URL: bench.url, GATEHOUSE_ROLE: 'worker', GATEHOUSE_RUN_CONCURRENCY: '1' };
    const options = { env, dataDirectory: bench.gatehouse.dataDirectory };
    for (let index = 0; index < processes; index++) workers.push(await startGatehouse(options));
    const { rows } = await bench.pool.query(
      `UPDATE schedules SET next_run_at = date_trunc('second', clock_timestamp()) + interval '3 seconds'
       RETURNING next_run_at AS due`,
    );
    const due = rows[0].due;
    const took = await untilAllRan(bench, schedules, due);
    const found = await count(bench);
    const whole = found.runs === schedules && found.distinct === schedules && found.events === schedules;
    table.add(
      `${schedules.toLocaleString('en')} schedules due in the same minute, ${processes} process(es)`,
      `${(took / 1000).toFixed(1)} s`,
      '≤ 10 s, none twice',
      took <= 10_000 && whole,
      `${found.runs} runs of ${found.distinct} schedules with ${found.events} events`,
    );
  } finally {
    for (const worker of workers) await worker.kill();
    await bench.close();
  }
}

/** Of many people's taste: as many expressions as minutes of a day, in fifty zones. */
async function seed({ pool, workspace, api }, schedules) {
  const zones = Intl.supportedValuesOf('timeZone').filter((_, index) => index % 8 === 0);
  const { items } = (await api.get('/v1/scripts?limit=100')).body;
  const rows = Array.from({ length: schedules }, (_, index) => ({
    id: newId('schedule'),
    script: items[index % items.length].id,
    cron: `${index % 60} ${Math.floor(index / 60) % 24} * * *`,
    zone: zones[index % zones.length],
  }));
  await pool.query(
    `INSERT INTO schedules (id, workspace_id, environment_id, script_id, name, cron, timezone, inputs, by_agent,
       created_by_user_id, next_run_at)
     SELECT id, $1, $2, script, 'due', cron, zone, '{}', false, $3, now() + interval '1 day'
     FROM json_to_recordset($4) AS r(id text, script text, cron text, zone text)`,
    [workspace.id, workspace.environmentId, workspace.owner.id, JSON.stringify(rows)],
  );
  await pool.query('VACUUM ANALYZE schedules');
}

/** Milliseconds from the moment they were due, by the database's clock. */
async function untilAllRan({ pool }, schedules, due) {
  for (;;) {
    const { rows } = await pool.query(
      `SELECT (SELECT count(*) FROM schedules WHERE last_run_id IS NOT NULL)::int AS ran, clock_timestamp() AS now`,
    );
    const took = rows[0].now.getTime() - due.getTime();
    if (rows[0].ran === schedules) return took;
    if (took > LIMIT_MS) throw new Error(`Only ${rows[0].ran} of ${schedules} schedules ran within a minute`);
    await sleep(50);
  }
}

async function count({ pool }) {
  const { rows } = await pool.query(
    `SELECT count(*)::int AS runs, count(DISTINCT r.schedule_id)::int AS distinct,
       (SELECT count(*) FROM events e WHERE e.type = 'run.started')::int AS events
     FROM runs r WHERE r.schedule_id IS NOT NULL`,
  );
  return rows[0];
}
