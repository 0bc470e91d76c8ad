import type { UsageMeter, WorkspaceUsage } from '@gatehouse/client/operations';

import { LOCALE } from '../../../kit/locale.js';

export type MeterId = UsageMeter['id'];

export const METER_LABELS: Record<MeterId, string> = {
  runs: 'Runs',
  run_seconds: 'Time of runs',
  webhook_deliveries: 'Webhook deliveries',
  agent_messages: 'Messages to agents',
  storage_bytes: 'Stored files',
  members: 'Members',
};

const count = new Intl.NumberFormat(LOCALE);
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** An amount with its unit: `1,204`, `3 h 20 min`, `1.4 GB`. */
export function amountText(id: MeterId, amount: number): string {
  if (id === 'run_seconds') return secondsText(amount);
  return id === 'storage_bytes' ? bytesText(amount) : count.format(amount);
}

/** How much of the limit is used, 0 to 100; null where there is no limit. */
export function shareUsed({ used, limit }: Pick<UsageMeter, 'used' | 'limit'>): number | null {
  if (limit === null) return null;
  return limit === 0 ? 100 : Math.min(100, (used / limit) * 100);
}

/** What a run may use by the plan, each in a line. */
export function runLimitLines({
  maxMemory,
  maxCpus,
  maxProcesses,
  maxTimeout,
}: WorkspaceUsage['eachRun']): string[] {
  return [
    ...(maxMemory === null ? [] : [`${count.format(maxMemory)} MiB of memory`]),
    ...(maxCpus === null ? [] : [maxCpus === 1 ? 'one processor' : `the time of ${maxCpus} processors`]),
    ...(maxProcesses === null ? [] : [`${count.format(maxProcesses)} processes and threads`]),
    ...(maxTimeout === null ? [] : [secondsText(maxTimeout)]),
  ];
}

function secondsText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${count.format(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

function bytesText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const amount = bytes / 1000 ** power;
  return `${power === 0 ? amount : amount.toLocaleString(LOCALE, { maximumFractionDigits: 1 })} ${UNITS[power] ?? 'B'}`;
}
