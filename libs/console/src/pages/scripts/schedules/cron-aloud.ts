import { toString } from 'cronstrue';

const EVERY_DAY = /^\S+ \S+ \* \* \*$/;

/** A cron expression in words, or null where it is none: `At 09:30, Monday through Friday`. */
export function cronAloud(cron: string): string | null {
  const trimmed = cron.trim().replaceAll(/\s+/g, ' ');
  // Six fields would be read as seconds first; the service has neither those nor `@reboot`.
  if (trimmed === '@reboot' || (!trimmed.startsWith('@') && trimmed.split(' ').length !== 5)) return null;
  try {
    const words = toString(trimmed, { use24HourTimeFormat: true });
    // Where both the day and the weekday are given, one that fits is enough.
    const either = words.replace(', and on ', ', or on ');
    const daily = EVERY_DAY.test(trimmed) || trimmed === '@daily' || trimmed === '@midnight';
    return daily && either.startsWith('At ') ? `${either}, every day` : either;
  } catch {
    return null;
  }
}
