import { Box } from '@mantine/core';
import { useState } from 'react';

import classes from './bar-chart.module.css';
import { roundSteps } from './round-steps.js';

export interface Bar {
  /** Names it in the document; different for each. */
  key: string;
  /** For whoever reads it, such as a day. */
  label: string;
  /** What is stacked in it, from the bottom: one for each of the chart's parts. */
  values: readonly number[];
}

interface BarChartProps {
  bars: readonly Bar[];
  /** What bars are made of: a word, and a color of the theme. */
  parts: readonly { name: string; color: string }[];
}

const LABELS = 6;
const GAP = 0.15;

/** Stacked bars over a scale from nothing. Whoever cannot see it needs a table beside it: it is hidden from them. */
export function BarChart({ bars, parts }: BarChartProps) {
  const [pointedAt, setPointedAt] = useState<number | null>(null);
  const steps = roundSteps(Math.max(0, ...bars.map(({ values }) => sum(values))));
  const top = steps.at(-1)!;
  const every = Math.ceil(bars.length / LABELS);
  return (
    <div className={classes['chart']} aria-hidden>
      <div className={classes['steps']}>
        {steps.toReversed().map((step) => (
          <span key={step}>{step.toLocaleString('en')}</span>
        ))}
      </div>
      <div className={classes['plot']} onPointerLeave={() => setPointedAt(null)}>
        <svg viewBox={`0 0 ${bars.length} ${top}`} preserveAspectRatio="none">
          {steps.map((step) => (
            <line
              key={step}
              className={classes['line']}
              x1={0}
              x2={bars.length}
              y1={top - step}
              y2={top - step}
            />
          ))}
          {bars.map((bar, index) => (
            <g key={bar.key} data-pointed-at={index === pointedAt} onPointerEnter={() => setPointedAt(index)}>
              <rect className={classes['behind']} x={index} width={1} height={top} />
              {bar.values.map((value, part) => (
                <rect
                  key={parts[part]!.name}
                  x={index + GAP}
                  y={top - sum(bar.values.slice(0, part + 1))}
                  width={1 - 2 * GAP}
                  height={value}
                  fill={`var(--mantine-color-${parts[part]!.color})`}
                />
              ))}
            </g>
          ))}
        </svg>
        {pointedAt !== null && (
          <Box className={classes['note']} __vars={{ '--at': String((pointedAt + 0.5) / bars.length) }}>
            <b>{bars[pointedAt]!.label}</b>
            {parts.map(({ name }, part) => (
              <div key={name}>
                {bars[pointedAt]!.values[part]!.toLocaleString('en')} {name}
              </div>
            ))}
          </Box>
        )}
      </div>
      <div className={classes['labels']}>
        {bars.map(({ key, label }, index) => (
          <span key={key}>{index % every === 0 && label}</span>
        ))}
      </div>
    </div>
  );
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
