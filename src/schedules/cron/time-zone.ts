/** Names of three letters that are zones. The others that the platform would take are old abbreviations of its own. */
const SHORT_ZONES = new Set('UTC UCT GMT EST MST HST CET MET EET WET PRC ROC ROK'.split(' '));

/**
 * A zone as it is named in the IANA database, in that spelling where only the case differs; null where there is none.
 * Offsets such as `+02:00` are no zones: `Etc/GMT-2` is one, and `Europe/Berlin` knows about summer.
 */
export function zoneName(text: string): string | null {
  if (!/^[A-Za-z][\w+/-]+$/.test(text) || text.startsWith('SystemV/')) return null;
  if (text.length === 3 && !SHORT_ZONES.has(text.toUpperCase())) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en-US', { timeZone: text }).resolvedOptions();
    return timeZone.toLowerCase() === text.toLowerCase() ? timeZone : text;
  } catch {
    return null;
  }
}
