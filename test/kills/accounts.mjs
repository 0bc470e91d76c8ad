const ALERT_WINDOW_SECONDS = 10;
/** A little less: when a message comes is noted here, and when it goes over there. */
const WINDOW_MS = (ALERT_WINDOW_SECONDS - 1) * 1000;

/** A rule that tells of every run that fails. */
export async function prepareAccounts(insist, host) {
  await insist('POST', '/v1/alerts', {
    name: 'All that fails',
    on: ['failed'],
    destination: { channel: 'webhook', url: `https://${host}/alerts` },
    groupSeconds: ALERT_WINDOW_SECONDS,
  });
}

/** Whether all that is counted beside the runs comes to as many as there are: statistics, errors, alerts, labels. */
export async function judgeAccounts(load, outside, every, settled) {
  const [api] = load.apis;
  const runs = await settled(
    () => every(api, '/v1/runs'),
    (found) => found.every(({ phase }) => phase === 'finished' || phase === 'held'),
  );
  const of = (status) => runs.filter((run) => run.status === status).length;
  const [succeeded, failed] = [of('succeeded'), of('failed')];
  const counted = async () => {
    const { totals } = (await api.get('/v1/runs/statistics')).body;
    const errors = (await every(api, '/v1/errors')).map(({ count }) => count);
    const told = [...outside.alerts.values()].map(({ count }) => count);
    return [
      ['statistics of successes', totals.succeeded, succeeded],
      ['statistics of failures', totals.failed, failed],
      ['errors', sum(errors), failed],
      ['alerts', sum(told), failed],
      ['labels', (await labelled(load, every)).length, load.runs.length],
    ];
  };
  const rows = await settled(counted, (found) => found.every(([, is, should]) => is >= should));
  const say = ([what, is, should]) => `${what}: ${is} of ${should}`;
  return {
    accepted: sum(rows.map(([, , should]) => should)),
    lost: rows.filter(([, is, should]) => is < should).map(say),
    twice: [
      ...rows.filter(([, is, should]) => is > should).map(say),
      ...[...outside.alerts].filter(([, { closest }]) => closest < WINDOW_MS).map(([id]) => `message ${id}`),
    ],
    stuck: [],
    duplicates: sum([...outside.alerts.values()].map(({ times }) => times - 1)),
  };
}

async function labelled({ apis: [api], runners }, every) {
  const lists = await Promise.all(
    Array.from({ length: runners }, (_, client) => every(api, '/v1/runs', `&label=client%3D${client}`)),
  );
  return lists.flat();
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
