/** English as it is written where a reader of this language is: numbers and dates are theirs, words the console's. */
export function localeOf(language: string): string {
  const region = regionOf(language);
  return region === undefined ? 'en' : new Intl.Locale('en', { region }).toString();
}

/** Of some systems browsers say what is no language, such as `C`. */
function regionOf(language: string): string | undefined {
  try {
    return new Intl.Locale(language).maximize().region;
  } catch {
    return undefined;
  }
}

/** The reader's, for all numbers and dates: `1.234,5` and `28 Nov` in Germany. */
export const LOCALE = localeOf(navigator.language);

/** What stands before a fraction. */
export const DECIMAL_POINT =
  new Intl.NumberFormat(LOCALE).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';
