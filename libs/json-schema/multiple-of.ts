import { _, type FuncKeywordDefinition, str } from 'ajv/dist/2020.js';

/** `multipleOf` of numbers as they are written: 0.3 is a multiple of 0.1, though no number of a computer says so. */
export const MULTIPLE_OF = {
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  errors: false,
  validate: (of: number, value: number): boolean => isMultiple(value, of),
  error: {
    message: ({ schemaCode }) => str`must be multiple of ${schemaCode}`,
    params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}`,
  },
} satisfies FuncKeywordDefinition;

/** The digits of a number are 17 at most, so that more tens than these make no other multiple of one. */
const MOST_TENS = 60;

function isMultiple(value: number, of: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(of)) return value % of === 0;
  const [one, other] = [decimal(value), decimal(of)];
  const tens = one.exponent - other.exponent;
  const factor = 10n ** BigInt(Math.min(Math.abs(tens), MOST_TENS));
  return tens < 0 ? one.digits % (other.digits * factor) === 0n : (one.digits * factor) % other.digits === 0n;
}

interface Decimal {
  digits: bigint;
  /** Of ten. */
  exponent: number;
}

/** `-1.5e-7` as -15 and -8. */
function decimal(number: number): Decimal {
  const [mantissa, exponent = '0'] = number.toString().split('e') as [string, string?];
  const [whole, fraction = ''] = mantissa.split('.') as [string, string?];
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
