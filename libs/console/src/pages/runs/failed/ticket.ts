import type { Run } from '@gatehouse/client/operations';

import { durationText } from '../../../kit/moment.js';
import { versionName } from '../version-name.js';
import type { Difference } from './differences.js';

interface TicketParts {
  run: Run;
  /** The page of the run. */
  address: string;
  lines: readonly string[];
  differences: readonly Difference[] | null;
}

/** Colours and the like, which a ticket would show as letters. */
const ANSI = /\u001B\[[0-9;?]*[A-Za-z]/g;

/** A failed run as Markdown, for a ticket. Inputs are named only: who reads the ticket may not be who may read them. */
export function ticketOf({ run, address, lines, differences }: TicketParts): string {
  const took = run.durationMs === null ? '' : `, took ${durationText(run.durationMs)}`;
  const log = lines.map((line) => line.replace(ANSI, ''));
  const fence = fenceFor(log);
  return [
    `**Run of ${run.script.slug} failed** (${versionName(run)}, ${run.environment})`,
    '',
    ...(run.error ?? '').split('\n').map((line) => `> ${line}`),
    '',
    `- Run: ${address}`,
    `- Asked: ${run.startedAt}${took}`,
    ...(differences === null ? [] : [`- Since the last success: ${differenceWords(differences)}`]),
    ...(log.length === 0 ? [] : ['', 'The end of its log:', '', fence, ...log, fence]),
    '',
  ].join('\n');
}

function differenceWords(differences: readonly Difference[]): string {
  if (differences.length === 0) return 'the same version, inputs and hosts';
  return differences
    .map(({ kind, name, before, now }) =>
      kind === 'version'
        ? `version ${before} → ${now}`
        : kind === 'input'
          ? `input ${name} differs`
          : `host ${name}: ${before} → ${now}`,
    )
    .join('; ');
}

/** Longer than any within. */
function fenceFor(lines: readonly string[]): string {
  const longest = Math.max(2, ...lines.flatMap((line) => line.match(/`+/g) ?? []).map((run) => run.length));
  return '`'.repeat(longest + 1);
}
