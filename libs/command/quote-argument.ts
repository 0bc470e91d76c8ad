const PLAIN = /^[A-Za-z0-9_./:@%+,=-]+$/;

/** Writes one argument so that `parseCommand` reads it back as it is, braces and brackets included. */
export function quoteArgument(text: string): string {
  const literal = literalText(text);
  if (PLAIN.test(literal)) return literal;
  if (!literal.includes("'")) return `'${literal}'`;
  return `"${literal.replace(/["\\]/g, '\\$&')}"`;
}

/** Doubles braces and brackets, so that a command reads them as characters. */
export function literalText(text: string): string {
  return text.replace(/[{}[\]]/g, '$&$&');
}
