import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';

import { LineStyles } from './line-styles.js';
import { LogLine } from './log-line.js';
import classes from './log.module.css';

const ROW = 20;
const NEAR_END = 2 * ROW;

export interface LogRowsProps {
  lines: readonly string[];
  /** Of each line, counted from 1. */
  numbers: readonly number[];
  /** The positions that are shown, if not all are. */
  shown: readonly number[] | null;
  count: number;
  search: string;
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
  const {
    lines,
    numbers,
    shown,
    count,
    search,
    height,
    wraps,
    chosen,
    follows,
    onFollows,
    hrefOf,
    onChoose,
  } = props;
  const box = useRef<HTMLDivElement>(null);
  const lastTop = useRef(0);
  const styles = useMemo(() => new LineStyles(lines), [lines]);
  const rows = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 10,
  });

  useEffect(() => rows.measure(), [rows, wraps]);

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
  }, [chosen, chosenAt >= 0, shown === null]);

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
          {seen.map(({ index, key }) => {
            const position = shown ? shown[index]! : index;
            const number = numbers[position]!;
            return (
              <LogLine
                key={key}
                index={index}
                measure={wraps ? rows.measureElement : null}
                number={number}
                line={lines[position]!}
                style={styles.before(position)}
                search={search}
                isChosen={chosen === number}
                href={hrefOf(number)}
                onChoose={onChoose}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}
