import IconChevronDown from 'icon:chevron-down';
import IconChevronRight from 'icon:chevron-right';

import { LOCALE } from '../locale.js';
import { plainLine } from './ansi-parts.js';
import type { LineGroup } from './line-groups.js';
import { LineTime, type LineTimes } from './line-time-cell.js';
import classes from './log.module.css';

interface GroupLineProps {
  /** Its place among the lines that are shown. */
  index: number;
  measure: ((element: Element | null) => void) | null;
  group: LineGroup;
  time: number | null;
  times: LineTimes;
  onToggle: () => void;
}

/** The first line of a group: its title, which opens and folds it. */
export function GroupLine({ index, measure, group, time, times, onToggle }: GroupLineProps) {
  const { title, count, isOpen } = group;
  const Icon = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <div ref={measure} data-index={index} className={`${classes['line']} ${classes['group']}`}>
      <span className={classes['number']}>
        <Icon size={14} aria-hidden />
      </span>
      <LineTime time={time} times={times} />
      <button type="button" aria-expanded={isOpen} onClick={onToggle}>
        {plainLine(title)} <span className={classes['faint']}>{count.toLocaleString(LOCALE)}</span>
      </button>
    </div>
  );
}
