import { LOCALE } from '../locale.js';
import { ChartFrame } from './chart-frame.js';
import classes from './chart.module.css';
import type { ChartColumn, ChartSeries } from './column.js';
import { countSteps } from './duration-steps.js';

const GAP = 0.15;

interface BarChartProps {
  label: string;
  columns: readonly ChartColumn[];
  /** What bars are made of, from the bottom. */
  series: readonly ChartSeries[];
}

/** Stacked bars of how many there were. */
export function BarChart({ label, columns, series }: BarChartProps) {
  const steps = countSteps(Math.max(0, ...columns.map(({ values }) => sum(values))));
  const top = steps.at(-1)!.at;
  return (
    <ChartFrame
      label={label}
      columns={columns}
      steps={steps}
      linesOf={({ values }) =>
        series.map(({ name }, part) => `${(values[part] ?? 0).toLocaleString(LOCALE)} ${name}`)
      }
    >
      {() =>
        columns.map(({ key, values }, index) =>
          series.map(({ name, tone }, part) =>
            values[part] ? (
              <rect
                key={`${key} ${name}`}
                className={classes['bar']}
                data-tone={tone}
                x={index + GAP}
                y={top - sum(values.slice(0, part + 1))}
                width={1 - 2 * GAP}
                height={values[part]}
              />
            ) : null,
          ),
        )
      }
    </ChartFrame>
  );
}

const sum = (values: readonly (number | null)[]): number =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0);
