import { setTimeout as sleep } from 'node:timers/promises';

import { FIRED, SCRIPTS } from './load.mjs';

/** A lost worker's run is known as lost within 60 s, and what it says is delivered soon after. */
const SETTLE_MS = 90_000;
const LOOK_EVERY_MS = 1_000;

/** What became of everything that was accepted, once nothing moves any more. */
export async function judge(load, outside) {
  const [api] = load.apis;
  const deadline = Date.now() + SETTLE_MS;
  const runs = await until(
    deadline,
    () => runsOf(api),
    (found) => found.every(isFinished),
  );
  const told = () => new Set([...outside.events.values()].map(({ type, runId }) => `${type} ${runId}`));
  const due = runs.filter(({ status }) => status === 'succeeded' || status === 'failed');
  const missing = await until(
    deadline,
    () => due.filter(({ id, status }) => !told().has(`run.${status} ${id}`)),
    (found) => found.length === 0,
  );
  const causes = due.filter(({ script, status }) => script.slug === FIRED.after && status === 'succeeded');
  const fired = await until(
    deadline,
    () => causesOfFired(api),
    (found) => causes.every(({ id }) => found.has(id)),
  );
  const schedules = await every(api, '/v1/scripts/short/schedules');
  const pending = missing.length === 0 ? 0 : await pendingDeliveries(api);

  const byId = new Set(runs.map(({ id }) => id));
  const accepted = new Set(load.runs);
  const named = groupByName(schedules);
  const deliveries = [...outside.events.values()];
  return {
    runs: {
      accepted: accepted.size,
      lost: [...accepted].filter((id) => !byId.has(id)),
      twice: [
        ...(await executedTwice(api, runs, outside)),
        ...runs.map(({ id }) => id).filter((id) => isExtra(id, accepted)),
      ],
      stuck: runs.filter((run) => !isFinished(run)).map(({ id }) => id),
    },
    writes: {
      accepted: load.writes.length,
      lost: load.writes.filter((name) => !named.has(name)),
      twice: [...named].filter(([, same]) => same.length > 1).map(([name]) => name),
      stuck: load.stuck,
    },
    firings: {
      accepted: causes.length,
      lost: causes.map(({ id }) => id).filter((id) => !fired.has(id)),
      twice: [...fired].filter(([, times]) => times > 1).map(([id]) => id),
      stuck: [],
    },
    events: {
      accepted: due.length,
      lost: missing.slice(pending).map(({ id }) => id),
      stuck: missing.slice(0, pending).map(({ id }) => id),
      twice: [],
      duplicates: deliveries.reduce((sum, { times }) => sum + times - 1, 0),
    },
  };
}

/** Those of the load; the first start has made one of its own. */
async function runsOf(api) {
  return (await every(api, '/v1/runs')).filter(({ script }) => SCRIPTS.includes(script.slug));
}

/** By the run that caused them, how many runs the trigger has started. */
async function causesOfFired(api) {
  const causes = new Map();
  const runs = await every(api, '/v1/runs', `&script=${FIRED.script}`);
  for (const { id } of runs) {
    const { inputs } = (await api.get(`/v1/runs/${id}`)).body;
    causes.set(inputs.cause, (causes.get(inputs.cause) ?? 0) + 1);
  }
  return causes;
}

const isFinished = ({ phase }) => phase === 'finished';
/** Made by no request whose response named it: a key that acted twice. */
const isExtra = (id, accepted) => !accepted.has(id);

async function executedTwice(api, runs, outside) {
  const twice = [...outside.executions].filter(([, marks]) => marks.size > 1).map(([id]) => id);
  for (const { id, logLines } of runs) {
    if (logLines < 2) continue;
    const { lines } = (await api.get(`/v1/runs/${id}/log`)).body;
    if (lines.filter((line) => line.startsWith('began ')).length > 1 && !twice.includes(id)) twice.push(id);
  }
  return twice;
}

/** Deliveries that wait for another attempt, which may be minutes away. */
async function pendingDeliveries(api) {
  const { items } = (await api.get('/v1/workspace/webhook-endpoints')).body;
  const { id } = items.find(({ url }) => url.endsWith('/events'));
  const found = await every(api, `/v1/workspace/webhook-endpoints/${id}/deliveries`);
  return found.filter(({ status }) => status === 'pending').length;
}

async function every(api, path, query = '') {
  const items = [];
  for (let cursor = null; ;) {
    const { status, body, text } = await api.get(
      `${path}?limit=100${query}${cursor === null ? '' : `&cursor=${cursor}`}`,
    );
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`);
    items.push(...body.items);
    cursor = body.nextCursor;
    if (cursor === null) return items;
  }
}

async function until(deadline, look, fits) {
  for (;;) {
    const found = await look();
    if (fits(found) || Date.now() > deadline) return found;
    await sleep(LOOK_EVERY_MS);
  }
}

function groupByName(items) {
  const groups = new Map();
  for (const item of items) groups.set(item.name, [...(groups.get(item.name) ?? []), item]);
  return groups;
}
