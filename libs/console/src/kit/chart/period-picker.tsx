import './tones.css';

import { Box, Button, Group, Text } from '@mantine/core';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';

import { LOCALE } from '../locale.js';
import type { ChartColumn, ChartSeries } from './column.js';
import classes from './period-picker.module.css';

/** From the beginning of one column to that of another, or to the end of the last. */
export type Edges = readonly [from: number, to: number];

interface PeriodPickerProps {
  /** What is chosen, for those who cannot see it: `When they ended`. */
  label: string;
  /** What stands below while nobody points anywhere. */
  caption: string;
  columns: readonly ChartColumn[];
  series: readonly ChartSeries[];
  /** What is chosen already, where more than that is drawn. */
  chosen: Edges | null;
  onChosen: (edges: Edges) => void;
}

const GAP = 0.12;
/** What is there at all is seen. */
const LEAST = 0.03;

/** Small bars over which one drags from one time to another. With the arrow keys either end is moved; Enter takes it. */
export function PeriodPicker(props: PeriodPickerProps) {
  const { label, caption, columns, series, chosen, onChosen } = props;
  const plot = useRef<HTMLDivElement>(null);
  const anchor = useRef<number | null>(null);
  const [wanted, setWanted] = useState<Edges | null>(null);
  const [pointedAt, setPointedAt] = useState<number | null>(null);
  const count = columns.length;
  const [from, to] = wanted ?? chosen ?? [0, count];
  const most = Math.max(1, ...columns.map(({ values }) => sum(values)));
  const said = wanted ?? (pointedAt === null ? null : ([pointedAt, pointedAt + 1] as const));

  const take = (edges: Edges | null): void => {
    anchor.current = null;
    setWanted(null);
    if (edges) onChosen(edges);
  };
  const columnAt = ({ clientX }: PointerEvent): number => {
    const { left, width } = plot.current!.getBoundingClientRect();
    return Math.min(count - 1, Math.max(0, Math.floor(((clientX - left) / width) * count)));
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    anchor.current = columnAt(event);
    setWanted([anchor.current, anchor.current + 1]);
  };
  const onPointerMove = (event: PointerEvent): void => {
    const at = columnAt(event);
    setPointedAt(at);
    const first = anchor.current;
    if (first !== null) setWanted([Math.min(first, at), Math.max(first, at) + 1]);
  };
  const onKeyDown = (event: KeyboardEvent, moved: 0 | 1): void => {
    if (event.key === 'Escape' && wanted) setWanted(null);
    else if (event.key === 'Enter') take(wanted);
    else {
      const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: 10, PageDown: -10, Home: -count, End: count }[
        event.key
      ];
      if (step === undefined) return;
      setWanted(
        moved === 0
          ? [Math.max(0, Math.min(to - 1, from + step)), to]
          : [from, Math.min(count, Math.max(from + 1, to + step))],
      );
    }
    event.preventDefault();
  };

  return (
    <div role="group" aria-label={label}>
      <div
        ref={plot}
        className={classes['plot']}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={() => anchor.current !== null && take(wanted)}
        onPointerCancel={() => take(null)}
        onPointerLeave={() => setPointedAt(null)}
      >
        <svg viewBox={`0 0 ${count} 1`} preserveAspectRatio="none" aria-hidden>
          {pointedAt !== null && <rect className={classes['pointed']} x={pointedAt} width={1} height={1} />}
          {columns.map(({ key, values }, index) => {
            let top = 1;
            return series.map(({ name, tone }, part) => {
              const value = values[part] ?? 0;
              if (value === 0) return null;
              const height = Math.max(LEAST, value / most);
              top -= height;
              return (
                <rect
                  key={`${key} ${name}`}
                  className={classes['bar']}
                  data-tone={tone}
                  data-out={index < from || index >= to || undefined}
                  x={index + GAP}
                  y={Math.max(0, top)}
                  width={1 - 2 * GAP}
                  height={height}
                />
              );
            });
          })}
        </svg>
        {([from, to] as const).map((edge, end) => (
          <Box
            key={end}
            role="slider"
            tabIndex={0}
            className={classes['edge']}
            data-away={(wanted === null && chosen === null) || undefined}
            __vars={{ '--at': String(edge / count) }}
            aria-label={end === 0 ? 'From' : 'To'}
            aria-valuemin={end === 0 ? 0 : 1}
            aria-valuemax={end === 0 ? count - 1 : count}
            aria-valuenow={edge}
            aria-valuetext={textOf(columns, series, end === 0 ? [from, from + 1] : [to - 1, to])}
            onKeyDown={(event) => onKeyDown(event, end as 0 | 1)}
          />
        ))}
      </div>
      <Group justify="space-between" gap="xs" mt={4} mih={22}>
        <Text size="xs" c="dimmed">
          {said ? textOf(columns, series, said) : caption}
        </Text>
        {wanted && anchor.current === null && (
          <Button size="compact-xs" variant="default" onClick={() => take(wanted)}>
            Show this time
          </Button>
        )}
      </Group>
    </div>
  );
}

/** `Nov 26, 14:00 – Nov 26, 16:00: 3 succeeded, 1 failed` */
function textOf(columns: readonly ChartColumn[], series: readonly ChartSeries[], [from, to]: Edges): string {
  const within = columns.slice(from, to);
  const [first, last] = [within[0]?.label ?? '', within.at(-1)?.label ?? ''];
  const counts = series.map(({ name }, part) => {
    const all = within.reduce((total, { values }) => total + (values[part] ?? 0), 0);
    return `${all.toLocaleString(LOCALE)} ${name}`;
  });
  return `${first === last ? first : `${first} – ${last}`}: ${counts.join(', ')}`;
}

const sum = (values: readonly (number | null)[]): number =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0);
