import { type CSSProperties, memo } from 'react';

import { LOCALE } from '../locale.js';
import { type LinePart, ansiParts } from './ansi-parts.js';
import { lineLevel } from './line-level.js';
import { type CutText, type LineRange, cutParts, textRanges } from './line-ranges.js';
import { LineTime } from './line-time-cell.js';
import type { LineTimes } from './line-time-cell.js';
import classes from './log.module.css';

/** More of one line is not laid out; it is in what is copied and downloaded. */
const MOST_SHOWN = 4_000;

export interface LogLineProps {
  /** Its place among the lines that are shown. */
  index: number;
  /** Told of the line's element, where its height is not that of every line. */
  measure: ((element: Element | null) => void) | null;
  number: number;
  line: string;
  /** The sequence that sets the style in which it begins. */
  style: string;
  search: string;
  /** Where an expression matches. */
  ranges: readonly LineRange[] | null;
  /** When it was printed; null: not known. */
  time: number | null;
  times: LineTimes;
  /** The line before is not the one that is shown above. */
  isBehindGap: boolean;
  isChosen: boolean;
  href: string;
  onChoose: (number: number) => void;
}

export const LogLine = memo(function LogLine({
  index,
  measure,
  number,
  line,
  style,
  search,
  ranges,
  time,
  times,
  isBehindGap,
  isChosen,
  href,
  onChoose,
}: LogLineProps) {
  const rest = line.length - MOST_SHOWN;
  const parts = ansiParts(rest > 0 ? line.slice(0, MOST_SHOWN) : line, style);
  const cuts = cutParts(parts, ranges ?? textRanges(parts.map(({ text }) => text).join(''), search));
  return (
    <div
      ref={measure}
      data-index={index}
      className={classes['line']}
      data-chosen={isChosen || undefined}
      data-gap={isBehindGap || undefined}
    >
      <a
        className={classes['number']}
        href={href}
        aria-label={`Line ${number}`}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          onChoose(number);
        }}
      >
        {number}
      </a>
      <LineTime time={time} times={times} />
      <span className={classes['text']} data-level={lineLevel(line) ?? undefined}>
        {parts.map((part, index) => (
          <Part key={index} part={part} cuts={cuts[index]!} />
        ))}
        {rest > 0 && (
          <span className={classes['faint']}> … {rest.toLocaleString(LOCALE)} more characters</span>
        )}
      </span>
    </div>
  );
});

function Part({ part, cuts }: { part: LinePart; cuts: readonly CutText[] }) {
  const text = cuts.map(({ text, isHit }, index) => (isHit ? <mark key={index}>{text}</mark> : text));
  if (Object.keys(part).length === 1) return text;
  return (
    <span className={classesOf(part)} style={styleOf(part)}>
      {text}
    </span>
  );
}

function classesOf({ color, background, bold, faint, italic, underline }: LinePart): string {
  return [
    color && (classes[color] ?? classes['own']),
    background && classes['onOwn'],
    bold && classes['bold'],
    faint && classes['faint'],
    italic && classes['italic'],
    underline && classes['underline'],
  ]
    .filter(Boolean)
    .join(' ');
}

function styleOf({ color, background }: LinePart): CSSProperties {
  return {
    ...(color && !(color in classes) && { '--own': color }),
    ...(background && { '--on-own': background }),
  } as CSSProperties;
}
