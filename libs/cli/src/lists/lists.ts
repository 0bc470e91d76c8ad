import type { Gatehouse, Pages } from '@gatehouse/client';

import { stringifyJson } from '../output/json.js';
import type { Run } from '../context.js';
import { first } from '../output/first.js';
import { alertConditions } from '../alerts/alert-conditions.js';
import { enabledText } from '../automations/enabled-text.js';
import { type Column, printList } from '../output/print.js';

interface ListOptions {
  limit: string;
  script?: string;
}

/** A command that prints a list, newest first. */
function listing<Item extends object>(
  list: (gatehouse: Gatehouse, limit: number, script?: string) => Pages<Item>,
  columns: readonly Column<Item>[],
): Run<ListOptions> {
  return async ({ options, gatehouse }) => {
    const { limit, script } = options;
    // A page is no larger than what is shown.
    const pages = list(await gatehouse(), Math.min(Math.max(Number(limit) || 1, 1), 100), script);
    await printList(await first(pages, limit), options, columns);
  };
}

function detailsText(details: Record<string, unknown>): string {
  const text = (value: unknown): string => (typeof value === 'string' ? value : stringifyJson(value));
  return Object.entries(details)
    .map(([key, value]) => `${key}=${text(value)}`)
    .join(' ');
}

export const scripts = listing(
  (gatehouse, limit) => gatehouse.scripts.list({ limit }),
  [
    ['slug', ({ slug }) => slug],
    ['status', ({ status }) => status],
    ['version', ({ publishedVersion }) => publishedVersion],
    ['runs (30 days)', ({ stats }) => stats.runs30d],
    ['last run', ({ stats }) => stats.lastRunAt],
    ['name', ({ name }) => name],
  ],
);

export const secrets = listing(
  (gatehouse, limit) => gatehouse.secrets.list({ limit }),
  [
    ['name', ({ name }) => name],
    ['environments', ({ values }) => values.map(({ environment }) => environment).join(', ')],
    ['hosts', ({ values }) => [...new Set(values.flatMap(({ hosts }) => hosts))].join(', ')],
    ['readable', ({ allowEnv }) => (allowEnv ? 'yes' : 'no')],
  ],
);

export const environments = listing(
  (gatehouse, limit) => gatehouse.environments.list({ limit }),
  [
    ['name', ({ name }) => name],
    ['default', ({ isDefault }) => (isDefault ? 'yes' : '')],
    ['approval', ({ approvalPolicy }) => approvalPolicy],
    ['agents', ({ agentsAllowed }) => (agentsAllowed ? 'allowed' : 'no')],
  ],
);

export const alerts = listing(
  (gatehouse, limit) => gatehouse.alerts.list({ limit }),
  [
    ['id', ({ id }) => id],
    ['name', ({ name }) => name],
    ['about', ({ script, schedule }) => schedule ?? script ?? 'all scripts'],
    ['on', alertConditions],
    ['to', ({ destination: { channel, host } }) => (host === null ? channel : `${channel}: ${host}`)],
    ['enabled', ({ enabled }) => (enabled ? 'yes' : 'no')],
  ],
);

export const queues = listing(
  (gatehouse, limit) => gatehouse.queues.list({ limit }),
  [
    ['name', ({ name }) => name],
    ['limit', ({ limit }) => limit],
    ['paused', ({ paused }) => (paused ? 'yes' : 'no')],
    ['going', ({ going }) => going],
    ['waiting', ({ waiting }) => waiting],
  ],
);

export const schedules = listing(
  ({ schedules: all }, limit, script) =>
    script === undefined ? all.list({ limit }) : all.listOfScript(script, { limit }),
  [
    ['id', ({ id }) => id],
    ['name', ({ name }) => name],
    ['script', ({ script }) => script.slug],
    ['cron', ({ cron }) => cron],
    ['time zone', ({ timezone }) => timezone],
    ['environment', ({ environment }) => environment],
    ['enabled', enabledText],
    ['next', ({ nextRunAt }) => nextRunAt],
  ],
);

export const triggers = listing(
  ({ triggers: all }, limit, script) =>
    script === undefined ? all.list({ limit }) : all.listOfScript(script, { limit }),
  [
    ['id', ({ id }) => id],
    ['name', ({ name }) => name],
    ['script', ({ script }) => script.slug],
    ['event', ({ eventType }) => eventType],
    ['environment', ({ environment }) => environment],
    ['enabled', enabledText],
    ['last', ({ lastFiredAt }) => lastFiredAt],
  ],
);

export const hooks = listing(
  ({ hooks: all }, limit, script) =>
    script === undefined ? all.list({ limit }) : all.listOfScript(script, { limit }),
  [
    ['id', ({ id }) => id],
    ['name', ({ name }) => name],
    ['script', ({ script }) => script.slug],
    ['verified', ({ verify }) => verify.scheme],
    ['environment', ({ environment }) => environment],
    ['enabled', enabledText],
    ['last', ({ lastReceivedAt }) => lastReceivedAt],
  ],
);

export const members = listing(
  (gatehouse, limit) => gatehouse.members.list({ limit }),
  [
    ['name', ({ name }) => name],
    ['email', ({ email }) => email],
    ['role', ({ role }) => role],
    ['joined', ({ joinedAt }) => joinedAt],
  ],
);

export const audit = listing(
  (gatehouse, limit) => gatehouse.auditEvents.list({ limit }),
  [
    ['at', ({ createdAt }) => createdAt],
    ['action', ({ action }) => action],
    ['by', ({ actorType, actor, credential }) => actor?.name ?? credential?.name ?? actorType],
    ['to', ({ target }) => target && `${target.type} ${target.id}`],
    ['details', ({ details }) => detailsText(details)],
  ],
);

export const webhooks = listing(
  (gatehouse, limit) => gatehouse.webhookEndpoints.list({ limit }),
  [
    ['id', ({ id }) => id],
    ['address', ({ url }) => url],
    ['events', ({ eventTypes }) => eventTypes?.join(', ') ?? 'all'],
    ['environment', ({ environment }) => environment],
    ['enabled', ({ enabled }) => (enabled ? 'yes' : 'no')],
    ['last status', ({ lastStatus }) => lastStatus],
  ],
);

export const teams = listing(
  (gatehouse, limit) => gatehouse.teams.list({ limit }),
  [
    ['id', ({ id }) => id],
    ['name', ({ name }) => name],
    ['members', ({ memberIds }) => memberIds.length],
    ['default', ({ isDefault }) => (isDefault ? 'yes' : '')],
  ],
);
