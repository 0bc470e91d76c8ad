/** The scripts that living languages are written in (Unicode UAX 31, table 5). */
const SCRIPTS = [
  'Arabic', 'Armenian', 'Bengali', 'Bopomofo', 'Cyrillic', 'Devanagari', 'Ethiopic', 'Georgian', 'Greek', 'Gujarati',
  'Gurmukhi', 'Han', 'Hangul', 'Hebrew', 'Hiragana', 'Kannada', 'Katakana', 'Khmer', 'Lao', 'Latin', 'Malayalam',
  'Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu', 'Thaana', 'Thai', 'Tibetan',
]; // prettier-ignore

/** Scripts that belong together: East Asian names use Latin letters beside their own. */
const TOGETHER = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];

const ASCII = /^[\0-\x7f]*$/;
const ACCEPTED = [...SCRIPTS.map((script) => [script]), ...TOGETHER].map(onlyScripts);

/**
 * Whether a label's characters come from scripts that no language mixes, as in `pаypal` with a Cyrillic а: the
 * "highly restrictive" level of Unicode UTS 39. Digits and dashes belong to every script.
 */
export function mixesScripts(label: string): boolean {
  return !ASCII.test(label) && !ACCEPTED.some((pattern) => pattern.test(label));
}

function onlyScripts(scripts: readonly string[]): RegExp {
  const classes = [...scripts, 'Common', 'Inherited'].map((script) => `\\p{Script_Extensions=${script}}`);
  return new RegExp(`^[${classes.join('')}]*$`, 'u');
}
