import './tones.css';

import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import classes from './chart.module.css';
import type { ChartSeries } from './column.js';

/** What the colours of a chart stand for. */
export function Legend({
  entries,
}: {
  entries: readonly (Pick<ChartSeries, 'tone'> & { text: ReactNode })[];
}) {
  return (
    <Group gap="md">
      {entries.map(({ tone, text }) => (
        <Text key={tone} size="sm">
          <span className={classes['key']} data-tone={tone} />
          {text}
        </Text>
      ))}
    </Group>
  );
}
