const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long to wait after each attempt that failed. */
const WAITS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR];
const JITTER = 0.2;
const LONGEST_ASKED_FOR = 24 * HOUR;

/**
 * Milliseconds until the next attempt.
 *
 * @param failed how many attempts have failed, at least 1
 * @param askedFor how long the receiver asks us to wait (`Retry-After`), in milliseconds: it can only make a wait longer
 * @param random within [0, 1): spreads the waits, so that what failed together does not come back together
 */
export function waitAfter(failed: number, askedFor: number | null, random: number = Math.random()): number {
  const usual = WAITS[Math.min(failed, WAITS.length) - 1]!;
  const wait = usual * (1 - JITTER + 2 * JITTER * random);
  return Math.round(Math.max(wait, Math.min(askedFor ?? 0, LONGEST_ASKED_FOR)));
}

/** `Retry-After` in milliseconds from now, or null where it is missing, malformed or past. */
export function retryAfter(header: string | undefined, now: number = Date.now()): number | null {
  const text = header?.trim();
  if (!text) return null;
  if (/^\d+$/.test(text)) return Math.min(Number(text) * SECOND, LONGEST_ASKED_FOR);
  // Only the form of RFC 9110, not whatever else the engine can read as a date.
  const date = /^(?:[A-Z][a-z]+, )?\d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : NaN;
  return Number.isNaN(date) || date <= now ? null : date - now;
}
