import { setTimeout as sleep } from 'node:timers/promises';

import { judgeAccounts } from './accounts.mjs';
import { judgeAttempts } from './attempts.mjs';
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
  const told = () => countBy([...outside.events.values()], ({ type, runId }) => `${type} ${runId}`);
  const due = runs.filter(({ status }) => status === 'succeeded' || status === 'failed');
  const missing = await until(
    deadline,
    () => missingEvents(due, told()),
    (found) => found.length === 0,
  );
  const causes = due.filter(({ script, status }) => script.slug === FIRED.after && status === 'succeeded');
  const fired = await until(
    deadline,
    () => inputsOf(api, FIRED.script, 'cause'),
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
    attempts: await judgeAttempts(api, runs, outside),
    turns: await load.turns.judge(every, (read) => until(deadline, read, (found) => found.every(isFinished))),
    requests: await load.sender.judge(every, inputsOf),
    accounts: await judgeAccounts(load, outside, every, (read, fits) => until(deadline, read, fits)),
    firings: {
      accepted: causes.length,
      lost: causes.map(({ id }) => id).filter((id) => !fired.has(id)),
      twice: [...fired].filter(([, times]) => times > 1).map(([id]) => id),
      stuck: [],
    },
    events: {
      accepted: due.length,
      lost: missing.slice(pending),
      stuck: missing.slice(0, pending),
      // One event for each attempt that is followed by another.
      twice: due
        .filter(({ id, attempt }) => told().get(`run.retrying ${id}`) > attempt - 1)
        .map(({ id }) => id),
      duplicates: deliveries.reduce((sum, { times }) => sum + times - 1, 0),
    },
  };
}

/** Those of the load; the first start has made one of its own. */
async function runsOf(api) {
  return (await every(api, '/v1/runs')).filter(({ script }) => SCRIPTS.includes(script.slug));
}

/** By the value of an input, how many runs of a script have it. */
async function inputsOf(api, script, field) {
  const times = new Map();
  for (const { id } of await every(api, '/v1/runs', `&script=${script}`)) {
    const { inputs } = (await api.get(`/v1/runs/${id}`)).body;
    times.set(inputs[field], (times.get(inputs[field]) ?? 0) + 1);
  }
  return times;
}

/** Of each run its end, and one event between two attempts. */
function missingEvents(runs, told) {
  return runs.flatMap(({ id, status, attempt }) => {
    const between = attempt - 1 - (told.get(`run.retrying ${id}`) ?? 0);
    const ends = told.has(`run.${status} ${id}`) ? 0 : 1;
    return Array(Math.max(0, between) + ends).fill(id);
  });
}

const isFinished = ({ phase }) => phase === 'finished';
/** Made by no request whose response named it: a key that acted twice. */
const isExtra = (id, accepted) => !accepted.has(id);

async function executedTwice(api, runs, outside) {
  const twice = [...outside.executions]
    .filter(([, marks]) => marks.size > 1)
    .map(([key]) => key.split(' ')[0]);
  for (const { id, logLines, attempt } of runs) {
    if (logLines < 2) continue;
    const { lines } = (await api.get(`/v1/runs/${id}/log`)).body;
    const began = lines.filter((line) => line.startsWith('began ')).length;
    if (began > attempt && !twice.includes(id)) twice.push(id);
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

function countBy(items, keyOf) {
  const counts = new Map();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}

function groupByName(items) {
  const groups = new Map();
  for (const item of items) groups.set(item.name, [...(groups.get(item.name) ?? []), item]);
  return groups;
}
