/** What a script reads instead of a value that the gate attaches. The gate overwrites it in requests. */
export const PLACEHOLDER = 'attached-by-gatehouse';

const WORD = 'attachedbygatehouse';

/**
 * Forms of keys that client libraries check before they send anything, by the prefix with which their vendor begins them:
 * how long they usually are. The first that fits counts.
 */
const FORMS: readonly [prefix: string, length: number][] = [
  ['sk-ant-', 108],
  ['sk-proj-', 164],
  ['sk-', 51],
  ['sk_live_', 107],
  ['sk_test_', 107],
  ['rk_live_', 107],
  ['ghp_', 40],
  ['github_pat_', 93],
  ['glpat-', 26],
  ['xoxb-', 56],
  ['xoxp-', 76],
  ['AKIA', 20],
  ['SG.', 69],
];

/** With a live key's prefix, somebody who finds it in a log would look for a leak. */
const HARMLESS: Readonly<Record<string, string>> = { sk_live_: 'sk_test_', rk_live_: 'rk_test_' };

/** Well-formed, for nobody, signed by nobody, and over since 1970. */
const TOKEN = ['{"alg":"none","typ":"JWT"}', '{"sub":"attached-by-gatehouse","exp":0}', WORD]
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.');

/**
 * A placeholder in the form of a value, so that client libraries take it for one. Nothing of the value is in it but a
 * prefix that everybody knows.
 */
export function placeholderFor(value: string): string {
  if (/^eyJ[\w-]*\.[\w-]+\.[\w-]*$/.test(value)) return TOKEN;
  const [prefix, length] = FORMS.find(([beginning]) => value.startsWith(beginning)) ?? [];
  if (prefix === undefined || length === undefined) return PLACEHOLDER;
  const beginning = HARMLESS[prefix] ?? prefix;
  const word = prefix === 'AKIA' ? WORD.toUpperCase() : WORD;
  return beginning + word.repeat(Math.ceil(length / word.length)).slice(0, length - beginning.length);
}
