import type { Schedule } from '@gatehouse/client/operations';

export interface Occurrence {
  at: Date;
  schedule: Schedule;
}

export interface WeekDay {
  /** Its first moment, where the reader is. */
  start: Date;
  /** In their order. */
  occurrences: Occurrence[];
}

export interface Week {
  /** Seven, today first. */
  days: WeekDay[];
  /** What is due so often that its times would hide all others. */
  often: Schedule[];
}

const DAYS = 7;
/** Of six times a day. */
const OFTEN = 6 * DAYS;

/** When schedules are due in the next seven days. */
export function weekOf(schedules: readonly Schedule[], now: Date): Week {
  const days = Array.from({ length: DAYS }, (_, day): WeekDay => ({
    // By the calendar: a day may have 23 or 25 hours.
    start: new Date(now.getFullYear(), now.getMonth(), now.getDate() + day),
    occurrences: [],
  }));
  const byDay = new Map(days.map((day) => [day.start.toDateString(), day]));
  const often: Schedule[] = [];
  for (const schedule of schedules) {
    const { upcoming = [] } = schedule;
    if (upcoming.length > OFTEN) {
      often.push(schedule);
      continue;
    }
    for (const time of upcoming) {
      const at = new Date(time);
      byDay.get(at.toDateString())?.occurrences.push({ at, schedule });
    }
  }
  for (const { occurrences } of days) {
    occurrences.sort(
      (one, other) =>
        one.at.getTime() - other.at.getTime() || one.schedule.name.localeCompare(other.schedule.name),
    );
  }
  return { days, often };
}
