import { type TimeKind, timeOfDay, timeSince } from './line-time.js';
import classes from './log.module.css';

export interface LineTimes {
  kind: TimeKind;
  /** What relative times count from, in milliseconds. */
  start: number;
}

/** When a line was printed, for whoever wants to see it. */
export function LineTime({ time, times: { kind, start } }: { time: number | null; times: LineTimes }) {
  if (kind === 'off') return null;
  if (time === null) return <span className={classes['time']} data-kind={kind} />;
  return (
    <time className={classes['time']} data-kind={kind} dateTime={new Date(time).toISOString()}>
      {kind === 'relative' ? timeSince(time, start) : timeOfDay(time)}
    </time>
  );
}
