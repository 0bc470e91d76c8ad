import type { RunCounts } from '@gatehouse/client/operations';
import { SimpleGrid, Text } from '@mantine/core';

import { LOCALE } from '../../kit/locale.js';
import { secondsText } from './counts-table.js';
import classes from './totals.module.css';

const percent = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 });

/** A period in six numbers. */
export function Totals({ totals }: { totals: RunCounts }) {
  const { succeeded, failed, other, successRate, durationSeconds, waitingSeconds } = totals;
  const facts: [label: string, value: string, isBad?: boolean][] = [
    ['Ended', (succeeded + failed + other).toLocaleString(LOCALE)],
    ['Failed', failed.toLocaleString(LOCALE), failed > 0],
    ['Succeeded', successRate === null ? '–' : percent.format(successRate)],
    ['Half took at most', secondsText(durationSeconds.p50)],
    ['95 % took at most', secondsText(durationSeconds.p95)],
    ['95 % waited at most', secondsText(waitingSeconds.p95)],
  ];
  return (
    <SimpleGrid component="dl" cols={{ base: 2, sm: 3, lg: 6 }} spacing="md" m={0} aria-label="In numbers">
      {facts.map(([label, value, isBad]) => (
        <div key={label} className={classes['fact']}>
          <Text component="dt" size="xs" c="dimmed">
            {label}
          </Text>
          <dd className={classes['value']} data-bad={isBad || undefined}>
            {value}
          </dd>
        </div>
      ))}
    </SimpleGrid>
  );
}
