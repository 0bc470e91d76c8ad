import { Stack, Text, Title } from '@mantine/core';
import { useMemo } from 'react';

import { ChartFrame } from '../chart/chart-frame.js';
import classes from '../chart/chart.module.css';
import type { ChartColumn, ChartSeries } from '../chart/column.js';
import { Legend } from '../chart/legend.js';
import { LOCALE } from '../locale.js';
import { type OutputChart, chartsOf } from './output-charts.js';
import { readableNumber } from './table-rows.js';
import { valueSteps } from './value-steps.js';

const TONES = ['first', 'second', 'third', 'fourth'] as const;
const GAP = 0.15;
/** Of more places lines are drawn, since bars would be hairs. */
const MOST_BARS = 60;
const LONGEST_LABEL = 12;

/** The numbers of an output as charts; the same are in its table. */
export default function OutputCharts({ output }: { output: unknown }) {
  const charts = useMemo(() => chartsOf(output), [output]);
  return (
    <Stack gap="lg">
      {charts.map((chart) => (
        <ValueChart key={chart.name} chart={chart} />
      ))}
    </Stack>
  );
}

function ValueChart({ chart: { name, labels, series, rows } }: { chart: OutputChart }) {
  const shown: ChartSeries[] = series.map(({ name }, at) => ({ name, tone: TONES[at]! }));
  const columns: ChartColumn[] = labels.map((label, at) => ({
    key: String(at),
    label,
    short: label.length > LONGEST_LABEL ? `${label.slice(0, LONGEST_LABEL - 1)}…` : label,
    values: series.map(({ values }) => values[at] ?? null),
  }));
  const values = series.flatMap((one) => one.values.filter((value) => value !== null));
  const marks = valueSteps(Math.min(...values), Math.max(...values));
  // A scale begins at 0, and so does its picture.
  const low = marks[0]!;
  const steps = marks.map((mark) => ({ at: mark - low, text: readable(mark) }));
  const top = steps.at(-1)!.at;
  const names = series.map(({ name }) => name).join(', ');
  return (
    <section aria-label={`Chart of ${name ?? names}`} style={{ overflowX: 'clip' }}>
      <Stack gap="xs">
        {name !== null && (
          <Title order={3} size="h5" className="user-text">
            {name}
          </Title>
        )}
        <ChartFrame
          label={name ?? names}
          columns={columns}
          steps={steps}
          linesOf={({ values }) =>
            shown.map(({ name }, at) => `${name} ${values[at] === null ? '–' : readable(values[at] ?? 0)}`)
          }
        >
          {() =>
            columns.length > MOST_BARS ? (
              <Lines series={shown} columns={columns} heightOf={(value) => top - (value - low)} />
            ) : (
              <Bars series={shown} columns={columns} heightOf={(value) => top - (value - low)} />
            )
          }
        </ChartFrame>
        <Legend
          entries={shown.map(({ tone, name }) => ({ tone, text: <span className="user-text">{name}</span> }))}
        />
        <Text size="sm" c="dimmed">
          {labels.length < rows &&
            `The first ${labels.length.toLocaleString(LOCALE)} of ${rows.toLocaleString(LOCALE)} rows. `}
          The table has the same numbers.
        </Text>
      </Stack>
    </section>
  );
}

interface DrawnProps {
  series: readonly ChartSeries[];
  columns: readonly ChartColumn[];
  /** From the top. */
  heightOf: (value: number) => number;
}

function Bars({ series, columns, heightOf }: DrawnProps) {
  const width = (1 - 2 * GAP) / series.length;
  return columns.map(({ key, values }, index) =>
    series.map(({ tone }, at) => {
      const value = values[at] ?? null;
      return value === null ? null : (
        <rect
          key={`${key} ${tone}`}
          className={classes['bar']}
          data-tone={tone}
          x={index + GAP + at * width}
          y={heightOf(Math.max(value, 0))}
          width={width}
          height={Math.abs(heightOf(value) - heightOf(0))}
        />
      );
    }),
  );
}

function Lines({ series, columns, heightOf }: DrawnProps) {
  return series.map(({ tone }, at) => {
    const points = columns.map(({ values }) => values[at] ?? null);
    const path = points.map((value, index) => {
      if (value === null) return '';
      const goesOn = index > 0 && points[index - 1] !== null;
      return `${goesOn ? 'L' : 'M'}${index + 0.5} ${heightOf(value)}`;
    });
    return (
      <g key={tone} data-tone={tone} className={classes['curve']}>
        <path d={path.join('')} />
      </g>
    );
  });
}

function readable(value: number): string {
  return readableNumber(String(value), '');
}
