import { isExact, isExactEnough } from './exact-number.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const MINUS = 0x2d;

/** What is known of a JSON document before it is parsed. For a text that is not JSON it is a guess. */
interface JsonFacts {
  /** Levels of arrays and objects. */
  depth: number;
  /** Numbers, texts, literals, arrays and objects: at least as many as there are, names of fields aside. */
  values: number;
  /** Where numbers begin that JavaScript would change. */
  inexact: number[];
}

interface ScanOptions {
  /** Fractions with up to 17 digits count as the doubles that they stand for. */
  lenient?: boolean;
  /** A number that JavaScript would write in another way, such as `1.0`, counts as one that it changes. */
  asWritten?: boolean;
  /** How many places of inexact numbers are noted. Default: one. */
  mostInexact?: number;
}

/** Looks at each character once; texts are jumped over. */
export function scanJson(
  text: string,
  { lenient = false, asWritten = false, mostInexact = 1 }: ScanOptions = {},
): JsonFacts {
  const exact = asWritten ? isWrittenSo : lenient ? isExactEnough : isExact;
  const inexact: number[] = [];
  let [depth, deepest, values] = [0, 0, 1];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfText(text, index);
    else if (code === COMMA) values++;
    else if (code === 0x5b || code === 0x7b) {
      values++;
      if (++depth > deepest) deepest = depth;
    } else if (code === 0x5d || code === 0x7d) depth--;
    else if (code === MINUS || isDigit(code)) {
      const end = endOfNumber(text, index);
      if (inexact.length < mostInexact && (asWritten || end - index > 3) && !exact(text.slice(index, end))) {
        inexact.push(index);
      }
      index = end - 1;
    }
  }
  return { depth: deepest, values, inexact };
}

/** The index of the quotation mark that ends the text that begins at `start`; the end of everything where there is none. */
export function endOfText(text: string, start: number): number {
  for (let end = start; ;) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
    let before = end;
    while (text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((end - before) % 2 === 0) return end;
  }
}

/** The index behind the number that begins at `start`. */
export function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && isOfNumber(text.charCodeAt(end))) end++;
  return end;
}

function isWrittenSo(literal: string): boolean {
  return String(Number(literal)) === literal;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Digits, `.`, `+`, `-`, `e` and `E`. */
function isOfNumber(code: number): boolean {
  return isDigit(code) || code === 0x2e || code === 0x2b || code === MINUS || code === 0x65 || code === 0x45;
}
