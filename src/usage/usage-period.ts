interface UsagePeriod {
  start: Date;
  /** When the counts begin anew: the start of the next. */
  end: Date;
}

/**
 * The period that a moment is in. Periods begin at midnight UTC on the day of the month on which the workspace was
 * made, or on the month's last day where it has no such day. Each is counted from that first day, never from the one
 * before: a 31st comes back after February. `usage_period_start` in the database says the same.
 */
export function usagePeriod(anchor: Date, moment: Date): UsagePeriod {
  const months =
    (moment.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + moment.getUTCMonth() - anchor.getUTCMonth();
  const passed = monthsAfter(anchor, months).getTime() <= moment.getTime() ? months : months - 1;
  return { start: monthsAfter(anchor, passed), end: monthsAfter(anchor, passed + 1) };
}

function monthsAfter(anchor: Date, months: number): Date {
  const year = anchor.getUTCFullYear();
  const month = anchor.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(anchor.getUTCDate(), lastDay)));
}
