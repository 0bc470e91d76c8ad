import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';

import { GroupLine } from './group-line.js';
import type { LineGroups } from './line-groups.js';
import type { LineRange } from './line-ranges.js';
import { LineStyles } from './line-styles.js';
import type { LineTimes } from './line-time-cell.js';
import { LogLine } from './log-line.js';
import classes from './log.module.css';

const ROW = 20;
const NEAR_END = 2 * ROW;

export interface LogRowsProps {
  lines: readonly string[];
  /** Of each line, counted from 1. */
  numbers: readonly number[];
  /** Of each line, in milliseconds; null: not known. */
  printed: readonly (number | null)[];
  times: LineTimes;
  /** The positions that are shown, if not all are. */
  shown: readonly number[] | null;
  count: number;
  /** What can be folded; null: nothing. */
  groups: LineGroups | null;
  onGroup: (header: number) => void;
  search: string;
  /** Where an expression matches in a line. */
  ranges: ReadonlyMap<number, readonly LineRange[]> | null;
  height: number | string;
  /** Long lines go on below, instead of to the right. */
  wraps: boolean;
  /** Its number. */
  chosen: number | null;
  follows: boolean;
  onFollows: (follows: boolean) => void;
  hrefOf: (line: number) => string;
  onChoose: (line: number) => void;
}

/** The lines that are in view, of however many there are. */
export function LogRows(props: LogRowsProps) {
  const { lines, numbers, shown, count, groups, height, wraps, chosen, follows, onFollows } = props;
  const box = useRef<HTMLDivElement>(null);
  const lastTop = useRef(0);
  const styles = useMemo(() => new LineStyles(lines), [lines]);
  const rows = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 10,
  });

  useEffect(() => rows.measure(), [rows, wraps, props.times.kind]);

  const wholeHeight = rows.getTotalSize();
  useEffect(() => {
    const element = box.current;
    if (follows && element) element.scrollTop = element.scrollHeight;
  }, [follows, count, wholeHeight]);

  const chosenAt = chosen === null ? -1 : numbers.indexOf(chosen);
  useEffect(() => {
    const at = shown ? shown.indexOf(chosenAt) : chosenAt;
    if (at >= 0) rows.scrollToIndex(at, { align: 'center' });
    // Only when another line is chosen, when the chosen one has arrived, or when others stand around it.
  }, [chosen, chosenAt >= 0, shown === null, groups === null]);

  const onScroll = (): void => {
    const { scrollTop, scrollHeight, clientHeight } = box.current!;
    const isUp = scrollTop < lastTop.current;
    lastTop.current = scrollTop;
    if (follows && isUp) onFollows(false);
    else if (!follows && !isUp && scrollHeight - scrollTop - clientHeight < NEAR_END) onFollows(true);
  };

  // One below the other, moved together: those that stay in view are not touched.
  const seen = rows.getVirtualItems();
  return (
    <div
      ref={box}
      className={classes['log']}
      data-wraps={wraps || undefined}
      style={{ height }}
      onScroll={onScroll}
      role="log"
      aria-label="Log"
      aria-live="off"
      tabIndex={0}
    >
      <div className={classes['rows']} style={{ height: wholeHeight }}>
        <div className={classes['seen']} style={{ transform: `translateY(${seen[0]?.start ?? 0}px)` }}>
          {seen.map(({ index, key }) => (
            <Row
              key={key}
              log={props}
              index={index}
              style={styles.before(shown ? shown[index]! : index)}
              measure={wraps ? rows.measureElement : null}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

interface RowProps {
  log: LogRowsProps;
  index: number;
  style: string;
  measure: ((element: Element | null) => void) | null;
}

function Row({ log, index, style, measure }: RowProps) {
  const { lines, numbers, printed, times, shown, groups, search, ranges, chosen } = log;
  const position = shown ? shown[index]! : index;
  const number = numbers[position]!;
  const time = printed[position] ?? null;
  const group = groups?.at(position);
  if (group) {
    const toggle = (): void => log.onGroup(position);
    return (
      <GroupLine index={index} measure={measure} group={group} time={time} times={times} onToggle={toggle} />
    );
  }
  return (
    <LogLine
      index={index}
      measure={measure}
      number={number}
      line={lines[position]!}
      style={style}
      search={search}
      ranges={ranges ? (ranges.get(position) ?? NONE) : null}
      time={time}
      times={times}
      isBehindGap={groups === null && shown !== null && index > 0 && shown[index - 1] !== position - 1}
      isChosen={chosen === number}
      href={log.hrefOf(number)}
      onChoose={log.onChoose}
    />
  );
}

const NONE: readonly LineRange[] = [];
