import type { RunCounts } from '@gatehouse/client/operations';
import { Anchor } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';

import { LOCALE } from '../../kit/locale.js';
import { durationText } from '../../kit/moment.js';
import { WideTable } from '../../kit/wide-table.js';
import { ENDS } from './ends.js';

interface CountsRow {
  name: string;
  counts: RunCounts;
  /** The runs that ended so. */
  linkOf?: (status: (typeof ENDS)[number]['status']) => LinkProps;
}

/** How many runs ended how, what they took and how long they waited. */
export function CountsTable({ label, rows }: { label: string; rows: readonly CountsRow[] }) {
  return (
    <WideTable
      label={label}
      head={[label, ...ENDS.map((end) => end.label), 'Half took', '95 % took', 'Half waited', '95 % waited']}
      empty="No run has ended in this time."
      rows={rows.map(({ name, counts, linkOf }) => ({
        key: name,
        cells: [
          name,
          ...ENDS.map((end) => {
            const count = counts[end.name].toLocaleString(LOCALE);
            if (!linkOf || counts[end.name] === 0) return count;
            return (
              <Anchor
                key={end.name}
                inherit
                aria-label={`${count} ${end.name}, ${name}`}
                renderRoot={(props) => <Link {...linkOf(end.status)} {...props} />}
              >
                {count}
              </Anchor>
            );
          }),
          secondsText(counts.durationSeconds.p50),
          secondsText(counts.durationSeconds.p95),
          secondsText(counts.waitingSeconds.p50),
          secondsText(counts.waitingSeconds.p95),
        ],
      }))}
    />
  );
}

export const secondsText = (seconds: number | null): string =>
  seconds === null ? '–' : durationText(Math.round(seconds * 1000));
