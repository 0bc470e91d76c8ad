import { Box } from '@mantine/core';

import { BarChart } from '../../kit/chart/bar-chart.js';
import type { ChartColumn, ChartSeries } from '../../kit/chart/column.js';
import { Legend } from '../../kit/chart/legend.js';
import { PeriodPicker } from '../../kit/chart/period-picker.js';
import { Section } from '../../kit/section.js';

const SERIES: ChartSeries[] = [
  { name: 'succeeded', tone: 'good' },
  { name: 'failed', tone: 'bad' },
];

const COLUMNS: ChartColumn[] = Array.from({ length: 24 }, (_, hour) => ({
  key: String(hour),
  label: `${hour}:00`,
  short: hour % 4 === 0 ? `${hour}:00` : '',
  values: [(hour * 7) % 11, hour % 9 === 0 ? 2 : 0],
}));

export function Charts() {
  return (
    <Section
      title="Charts"
      description="BarChart, DurationChart; in ChartPanel with the same numbers as a table. Tones: kit/chart/tones.css."
    >
      <Box h={240}>
        <BarChart label="Runs by hour" columns={COLUMNS} series={SERIES} />
      </Box>
      <Legend entries={SERIES.map(({ name, tone }) => ({ tone, text: name }))} />
      <PeriodPicker
        label="A time to choose"
        caption="PeriodPicker: drag to choose a time."
        columns={COLUMNS}
        series={SERIES}
        chosen={[8, 14]}
        onChosen={() => undefined}
      />
    </Section>
  );
}
