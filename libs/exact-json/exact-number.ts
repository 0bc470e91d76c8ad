/** The most digits that any program prints of a double: what is written with them means that double. */
const DIGITS_OF_A_DOUBLE = 17;
/** So many digits survive the way into a double and back, unless the exponent is extreme. */
const SAFE_DIGITS = 15;
const SAFE_EXPONENT_DIGITS = 2;

/**
 * Whether JavaScript gives a number of JSON back with the very same value: `9007199254740993`, `1e400` and
 * `3.14159265358979323846` do not come back as they went in.
 *
 * @param literal as it stands in valid JSON
 */
export function isExact(literal: string): boolean {
  if (isSurelyExact(literal)) return true;
  const value = Number(literal);
  return Number.isFinite(value) && sameDecimal(literal, String(value));
}

/**
 * The same, but a fraction with no more digits than a double has stands for the double next to it, as everywhere in
 * JSON. Some programs print 0.1 as `0.10000000000000001`. Nothing becomes zero or infinite.
 */
export function isExactEnough(literal: string): boolean {
  if (isExact(literal)) return true;
  const value = Number(literal);
  const { digits, exponent } = decimalOf(literal);
  return exponent < 0 && digits.length <= DIGITS_OF_A_DOUBLE && Number.isFinite(value) && value !== 0;
}

/** Short, and not as large or small as to be out of range. */
function isSurelyExact(literal: string): boolean {
  if (literal.length <= SAFE_DIGITS && !/[eE]/.test(literal)) return true;
  const [mantissa, exponent] = literal.split(/[eE][+-]?/, 2);
  return exponent !== undefined && mantissa!.length <= SAFE_DIGITS && exponent.length <= SAFE_EXPONENT_DIGITS;
}

function sameDecimal(one: string, other: string): boolean {
  const [first, second] = [decimalOf(one), decimalOf(other)];
  return first.digits === second.digits && (first.digits === '' || first.exponent === second.exponent);
}

/** A decimal as its significant digits, none of them a zero at either end, times a power of ten. The sign is left out. */
function decimalOf(literal: string): { digits: string; exponent: number } {
  const [mantissa = '', power = '0'] = literal.replace(/^-/, '').split(/[eE]/, 2);
  const [whole = '', fraction = ''] = mantissa.split('.', 2);
  const all = whole + fraction;
  let end = all.length;
  while (end > 0 && all.charCodeAt(end - 1) === 0x30) end--;
  let start = 0;
  while (start < end && all.charCodeAt(start) === 0x30) start++;
  return { digits: all.slice(start, end), exponent: Number(power) - fraction.length + (all.length - end) };
}
