/** What a cron expression asks for. Numbers as cron writes them, ascending and each once. */
export interface CronExpression {
  /** The minutes of a day at which it is due, 0 to 1439, ascending. */
  readonly times: readonly number[];
  readonly daysOfMonth: ReadonlySet<number>;
  /** 1 to 12. */
  readonly months: ReadonlySet<number>;
  /** 0 to 6, 0 is Sunday. */
  readonly daysOfWeek: ReadonlySet<number>;
  /** Day of month and weekday are both restricted: a day that fits either is enough. */
  readonly eitherDay: boolean;
  /** With `*` or a step in the hour field: due whenever the clock on the wall shows such a time, however often that is. */
  readonly followsTheClock: boolean;
}
