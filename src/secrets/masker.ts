import { SecretPatterns } from '../../libs/egress/index.js';

/** Keeps secret values out of what a run leaves behind. Values under 6 characters are not looked for. */
export interface Masker {
  /** Masks a text. Give it whole lines before they are cut, or the whole text. */
  maskLine(text: string): string;
  /** Masks the texts, names and numbers in a value that came from JSON, whatever they were escaped as. Of at most a few hundred levels. */
  maskJson(value: unknown): unknown;
  /** The most bytes that a masked text may have had: how far to look beyond a cut. */
  readonly longest: number;
}

/** A character of a value becomes at most `\uXXXX`, which is six bytes. */
const LONGEST_ESCAPE = 6;

export function maskerFor(values: Iterable<string>): Masker {
  const secrets = [...values];
  const patterns = new SecretPatterns(secrets);
  const mask = (text: string): string => patterns.mask(text);
  return {
    maskLine: mask,
    maskJson: (value) => (patterns.isEmpty ? value : maskValue(value, mask)),
    longest: patterns.isEmpty
      ? 0
      : Math.max(...secrets.map((value) => Buffer.byteLength(value))) * LONGEST_ESCAPE,
  };
}

function maskValue(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value);
  if (typeof value === 'number') return maskNumber(value, mask);
  if (Array.isArray(value)) return value.map((item) => maskValue(item, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [mask(name), maskValue(item, mask)]));
}

/** A secret may be all digits. */
function maskNumber(value: number, mask: (text: string) => string): number | string {
  const text = String(value);
  const masked = mask(text);
  return masked === text ? value : masked;
}
