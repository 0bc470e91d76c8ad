/** A moment, as minutes since 1970-01-01 00:00 UTC. */
export type Minute = number;

const DAY = 1440;
const MINUTE_MS = 60_000;
const MOST_ZONES = 1_000;

interface ZoneYear {
  /** The offset with which the year (of UTC) begins. */
  offset: number;
  /** From this minute on the offset is this; ascending. */
  changes: readonly { at: Minute; offset: number }[];
}

/** A zone's clocks: how far they are ahead of UTC, in minutes, and when that changes. A year is looked up once. */
export class ZoneClock {
  private readonly years = new Map<number, ZoneYear>();

  private constructor(private readonly format: Intl.DateTimeFormat) {}

  private static readonly known = new Map<string, ZoneClock>();

  /**
   * @param zone an IANA name
   * @throws RangeError where no such zone is known
   */
  static of(zone: string): ZoneClock {
    let clock = ZoneClock.known.get(zone);
    if (!clock) {
      clock = new ZoneClock(new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }));
      if (ZoneClock.known.size >= MOST_ZONES) ZoneClock.known.clear();
      ZoneClock.known.set(zone, clock);
    }
    return clock;
  }

  offsetAt(minute: Minute): number {
    const { offset, changes } = this.year(yearOf(minute));
    let current = offset;
    for (const change of changes) {
      if (change.at > minute) break;
      current = change.offset;
    }
    return current;
  }

  /** The first minute with another offset than the one before, after `after` and at `until` at the latest; or null. */
  nextChange(after: Minute, until: Minute): Minute | null {
    for (let year = yearOf(after); year <= yearOf(until); year++) {
      const change = this.year(year).changes.find(({ at }) => at > after);
      if (change) return change.at <= until ? change.at : null;
    }
    return null;
  }

  private year(year: number): ZoneYear {
    let known = this.years.get(year);
    if (!known) {
      known = this.lookUp(year);
      this.years.set(year, known);
    }
    return known;
  }

  /** Looks at each day, and closer at those between which the offset changes. */
  private lookUp(year: number): ZoneYear {
    const begin = Date.UTC(year, 0, 1) / MINUTE_MS;
    const end = Date.UTC(year + 1, 0, 1) / MINUTE_MS;
    // A change in the very first minute of a year is that year's.
    const offset = this.read(begin - 1);
    const changes: { at: Minute; offset: number }[] = [];
    let before = offset;
    for (let day = begin; day <= end; day += DAY) {
      const last = Math.min(day, end - 1);
      const after = this.read(last);
      if (after === before) continue;
      changes.push({ at: this.firstWithout(before, Math.max(last - DAY, begin - 1), last), offset: after });
      before = after;
    }
    return { offset, changes };
  }

  private firstWithout(offset: number, low: Minute, high: Minute): Minute {
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.read(middle) === offset) low = middle;
      else high = middle;
    }
    return high;
  }

  private read(minute: Minute): number {
    const [, sign, hours, minutes] =
      /GMT(?:([+-])(\d\d):(\d\d))?/.exec(this.format.format(minute * MINUTE_MS)) ?? [];
    const offset = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
    return sign === '-' ? -offset : offset;
  }
}

function yearOf(minute: Minute): number {
  return new Date(minute * MINUTE_MS).getUTCFullYear();
}
