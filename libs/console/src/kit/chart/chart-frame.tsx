import './tones.css';

import { Box } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import classes from './chart.module.css';
import type { ChartColumn } from './column.js';
import type { Step } from './duration-steps.js';
import { useArrowStops } from './use-arrow-stops.js';

interface ChartFrameProps {
  /** What it shows, for those who cannot see it. */
  label: string;
  columns: readonly ChartColumn[];
  steps: readonly Step[];
  /** What is said of a column, a line for each series. */
  linesOf: (column: ChartColumn) => string[];
  /** Drawn over the scale: a column is 1 wide, and the height is in the scale's own unit from the top. */
  children: (pointedAt: number | null) => ReactNode;
}

const LABELS = 6;
/**
 * A scale, a line of time, and what is said of a place on it to whoever points at it or comes there with the arrow keys. Where
 * columns lead nowhere it is hidden from those who cannot see it; a table stands beside it either way.
 */
export function ChartFrame({ label, columns, steps, linesOf, children }: ChartFrameProps) {
  const [pointedAt, setPointedAt] = useState<number | null>(null);
  const top = steps.at(-1)!.at;
  const every = Math.ceil(columns.length / LABELS);
  const stops = useArrowStops<HTMLDivElement>(columns.length);
  const hasLinks = columns.some(({ link }) => link !== undefined);
  return (
    <div className={classes['chart']} aria-hidden={!hasLinks || undefined}>
      <div className={classes['steps']} aria-hidden>
        {steps.toReversed().map(({ at, text }) => (
          <span key={at}>{text}</span>
        ))}
      </div>
      <div className={classes['plot']} onPointerLeave={() => setPointedAt(null)}>
        <svg viewBox={`0 0 ${columns.length} ${top}`} preserveAspectRatio="none" aria-hidden>
          {steps.map(({ at }) => (
            <line
              key={at}
              className={classes['line']}
              x1={0}
              x2={columns.length}
              y1={top - at}
              y2={top - at}
            />
          ))}
          {pointedAt !== null && <rect className={classes['pointed']} x={pointedAt} width={1} height={top} />}
          {children(pointedAt)}
        </svg>
        <div
          ref={stops.row}
          className={classes['columns']}
          role={hasLinks ? 'group' : undefined}
          aria-label={hasLinks ? label : undefined}
          onKeyDown={stops.onKeyDown}
        >
          {columns.map((column, index) =>
            column.link ? (
              <Link
                key={column.key}
                {...column.link}
                preload={false}
                aria-label={`${column.label}: ${linesOf(column).join(', ')}`}
                tabIndex={stops.tabIndexOf(index)}
                onPointerEnter={() => setPointedAt(index)}
                onFocus={() => {
                  stops.onFocusOf(index);
                  setPointedAt(index);
                }}
                onBlur={() => setPointedAt(null)}
              />
            ) : (
              <span key={column.key} onPointerEnter={() => setPointedAt(index)} />
            ),
          )}
        </div>
        {pointedAt !== null && columns[pointedAt] && (
          <Box
            className={classes['note']}
            aria-hidden
            __vars={{ '--at': String((pointedAt + 0.5) / columns.length) }}
          >
            <b>{columns[pointedAt].label}</b>
            {linesOf(columns[pointedAt]).map((line) => (
              <div key={line}>{line}</div>
            ))}
          </Box>
        )}
      </div>
      <div className={classes['labels']} aria-hidden>
        {columns.map(({ key, short }, index) => (
          <span key={key} data-wide-only={(index / every) % 2 === 1 || undefined}>
            {index % every === 0 && short}
          </span>
        ))}
      </div>
    </div>
  );
}
