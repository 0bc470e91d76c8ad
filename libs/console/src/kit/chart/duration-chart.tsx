import { durationText } from '../moment.js';
import { ChartFrame } from './chart-frame.js';
import classes from './chart.module.css';
import type { ChartColumn, ChartSeries } from './column.js';
import { durationSteps } from './duration-steps.js';

interface DurationChartProps {
  label: string;
  /** Their values are milliseconds. */
  columns: readonly ChartColumn[];
  series: readonly ChartSeries[];
}

/** Lines of how long something took, broken where there is nothing to say. */
export function DurationChart({ label, columns, series }: DurationChartProps) {
  const steps = durationSteps(Math.max(0, ...columns.flatMap(({ values }) => values.map((one) => one ?? 0))));
  const top = steps.at(-1)!.at;
  return (
    <ChartFrame
      label={label}
      columns={columns}
      steps={steps}
      linesOf={({ values }) =>
        series.map(({ name }, part) => {
          const value = values[part] ?? null;
          return `${name} ${value === null ? '–' : durationText(Math.round(value))}`;
        })
      }
    >
      {(pointedAt) =>
        series.map(({ name, tone }, part) => {
          const points = columns.map(({ values }, index) => ({
            x: index + 0.5,
            value: values[part] ?? null,
          }));
          return (
            <g key={name} data-tone={tone} className={classes['curve']}>
              <path d={pathOf(points, top)} />
              {points.map(({ x, value }, index) =>
                value !== null && (index === pointedAt || isAlone(points, index)) ? (
                  // A line of no length is a dot, which keeps its shape where the picture is stretched.
                  <path key={x} className={classes['dot']} d={`M${x} ${top - value}h0`} />
                ) : null,
              )}
            </g>
          );
        })
      }
    </ChartFrame>
  );
}

interface Point {
  x: number;
  value: number | null;
}

function pathOf(points: readonly Point[], top: number): string {
  return points
    .map(({ x, value }, index) => {
      if (value === null) return '';
      const goesOn = (points[index - 1]?.value ?? null) !== null;
      return `${goesOn ? 'L' : 'M'}${x} ${top - value}`;
    })
    .join('');
}

function isAlone(points: readonly Point[], index: number): boolean {
  return (points[index - 1]?.value ?? null) === null && (points[index + 1]?.value ?? null) === null;
}
