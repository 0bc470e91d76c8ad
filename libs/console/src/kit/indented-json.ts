const OPENS = /[[{]/;
const CLOSES = /[\]}]/;
/** A text, or anything else that stands by itself; what is between them is of no meaning. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

/** JSON on lines of its own, token by token: numbers and texts stay as they were written. */
export function indentedJson(text: string): string {
  const tokens = text.match(TOKENS) ?? [];
  let depth = 0;
  let out = '';
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1] ?? '';
    const isEmpty = CLOSES.test(token) && token.length === 1 && OPENS.test(before) && before.length === 1;
    if (isBracket(token, CLOSES)) {
      depth -= 1;
      if (!isEmpty) out += lineAt(depth);
    } else if (isBracket(before, OPENS)) out += lineAt(depth);
    out += token;
    if (isBracket(token, OPENS)) depth += 1;
    else if (token === ',') out += lineAt(depth);
    else if (token === ':') out += ' ';
  }
  return out;
}

const isBracket = (token: string, which: RegExp): boolean => token.length === 1 && which.test(token);
const lineAt = (depth: number): string => `\n${'  '.repeat(depth)}`;
