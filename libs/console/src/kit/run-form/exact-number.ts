const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/**
 * The number that a person typed, or null where it is none, or one that JavaScript would change: the service would refuse
 * it as well, and a rounded account number is worse than a refused one.
 */
export function exactNumber(text: string): number | null {
  const typed = decimal(text);
  if (typed === null) return null;
  const value = Number(text);
  return Number.isFinite(value) && decimal(String(value)) === typed ? value : null;
}

/** Whether it is written as a number at all, so that it can be said why it is refused. */
export function looksLikeNumber(text: string): boolean {
  return decimal(text) !== null;
}

/** The same for two texts of the same number: sign, digits without zeros at their ends, and where the point stands. */
function decimal(text: string): string | null {
  const match = NUMBER.exec(text.trim());
  if (!match) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  if (whole + fraction === '') return null;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const point = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign === '-' ? '-' : ''}${significant}e${point}`;
}

/**
 * JSON whose numbers all stay what they are.
 * @throws SyntaxError where it is no JSON
 */
export function parseExactJson(text: string): { value: unknown; inexact: string | null } {
  let inexact: string | null = null;
  const value: unknown = JSON.parse(text, (_, part: unknown, context?: { source?: string }) => {
    if (typeof part === 'number' && context?.source !== undefined && exactNumber(context.source) === null) {
      inexact ??= context.source;
    }
    return part;
  });
  return { value, inexact };
}
