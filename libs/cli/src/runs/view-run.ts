import type { Run } from '@gatehouse/client';

import { stringifyJson } from '../output/json.js';
import type { Context } from '../context.js';
import { printOne } from '../output/print.js';
import { labelText } from './label-options.js';

export default async function viewRun({ args, options, gatehouse }: Context): Promise<void> {
  const run = await (await gatehouse()).runs.get(args[0]!);
  await printOne(run, options, [
    ['Run', ({ id }) => id],
    ['Script', ({ script, version }) => `${script.slug}, version ${version}`],
    ['Environment', ({ environment }) => environment],
    ['Status', ({ status, phase }) => (status === 'running' ? `${status}: ${phase}` : status)],
    [
      'Plan',
      ({ plan, plannedRequests, id }) =>
        plan ? `nothing was sent, ${plannedRequests} planned: gatehouse runs planned ${id}` : null,
    ],
    ['Attempts', ({ attempts = [] }) => (attempts.length > 1 ? inWords(attempts) : null)],
    ['Next attempt', ({ nextAttemptAt }) => nextAttemptAt],
    ['Starts', ({ phase, startAt }) => (phase === 'held' || phase === 'delayed' ? startAt : null)],
    ['Stands for', ({ debounce }) => (debounce && debounce.starts > 1 ? `${debounce.starts} starts` : null)],
    ['Expires', ({ executionStartedAt, expiresAt }) => (executionStartedAt === null ? expiresAt : null)],
    ['Labels', ({ labels }) => labelText(labels) || null],
    ['Priority', ({ priority }) => (priority === 0 ? null : String(priority))],
    ['Waits', ({ waitsBecause }) => waitsBecause],
    ['Error', ({ error }) => error],
    ['Started', (one) => `${one.startedAt} through ${one.interface}`],
    ['Caused by', ({ causedBy }) => causedBy && `${causedBy.type} ${causedBy.id}`],
    ['Finished', ({ finishedAt }) => finishedAt],
    ['Took', ({ durationMs }) => (durationMs === null ? null : `${durationMs} ms`)],
    ['Processor', ({ cpuMs }) => (cpuMs === null ? null : `${cpuMs} ms`)],
    ['Memory', ({ peakMemoryBytes: bytes }) => (bytes === null ? null : `${Math.ceil(bytes / 2 ** 20)} MiB`)],
    ['Inputs', ({ inputs }) => stringifyJson(inputs)],
    ['Output', ({ output }) => (output === null || output === undefined ? null : stringifyJson(output))],
    ['Log', ({ logLines, id }) => (logLines === 0 ? null : `${logLines} lines: gatehouse logs ${id}`)],
    ['Files', ({ files = [] }) => files.map(({ name, id }) => `${name} (${id})`).join(', ') || null],
  ]);
}

function inWords(attempts: NonNullable<Run['attempts']>): string {
  return attempts.map(({ attempt, error }) => `${attempt}: ${error ?? 'well'}`).join('; ');
}
