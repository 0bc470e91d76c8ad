import './tones.css';

import classes from './chart.module.css';
import type { ChartColumn, ChartSeries } from './column.js';

const GAP = 0.15;
const HEIGHT = 20;
/** What is there at all is seen. */
const LEAST = 1;

interface SmallBarsProps {
  /** The same in words. */
  label: string;
  columns: readonly Pick<ChartColumn, 'key' | 'values'>[];
  series: readonly ChartSeries[];
}

/** Stacked bars in a line of a list, without a scale: how it goes, at a glance. */
export function SmallBars({ label, columns, series }: SmallBarsProps) {
  const most = Math.max(1, ...columns.map(({ values }) => sum(values)));
  const heightOf = (value: number): number => (value === 0 ? 0 : Math.max(LEAST, (HEIGHT * value) / most));
  return (
    <svg
      className={classes['small']}
      viewBox={`0 0 ${columns.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {columns.map(({ key, values }, index) => {
        let top = HEIGHT;
        return series.map(({ name, tone }, part) => {
          const height = heightOf(values[part] ?? 0);
          top -= height;
          return height > 0 ? (
            <rect
              key={`${key} ${name}`}
              className={classes['bar']}
              data-tone={tone}
              x={index + GAP}
              y={top}
              width={1 - 2 * GAP}
              height={height}
            />
          ) : null;
        });
      })}
    </svg>
  );
}

const sum = (values: readonly (number | null)[]): number =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0);
