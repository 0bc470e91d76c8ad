import type { PatternMatcher } from './pattern-matcher.js';
import { PatternTable } from './pattern-table.js';
import { PatternTrie } from './pattern-trie.js';
import { PatternWalk } from './pattern-walk.js';
import { secretForms } from './secret-forms.js';

/** From a position up to, not including, another. */
export type Span = [start: number, end: number];

export const MASK = '***';
const MASK_BYTES = Buffer.from(MASK);
/** What all patterns together may have. A value of the largest size that can be stored has less. */
export const MAX_PATTERN_BYTES = 2 * 1024 * 1024;

/** The values are too much to look for at a time. The message tells sizes, nothing of the values. */
export class TooManyPatterns extends Error {
  constructor() {
    super(
      `in all the forms that are searched for they come to more than ${MAX_PATTERN_BYTES / 1024 / 1024} MiB`,
    );
    this.name = new.target.name;
  }
}

/**
 * Finds secret values in text and bytes, in every form that `secretForms` knows, and masks them. Finding takes time that
 * is linear in the text.
 *
 * @example
 * new SecretPatterns(['sk_live_12345']).mask('key: sk_live_12345'); // 'key: ***'
 */
export class SecretPatterns {
  /** The most bytes that something masked has. */
  readonly longest: number;
  private readonly matcher: PatternMatcher | null;

  /** @throws TooManyPatterns */
  constructor(values: Iterable<string>) {
    const patterns = patternsOf(values);
    this.longest = patterns.reduce((most, { length }) => Math.max(most, length), 0);
    const trie = patterns.length > 0 ? new PatternTrie(patterns) : null;
    this.matcher = trie && (PatternTable.of(trie, this.longest) ?? new PatternWalk(trie));
  }

  /** Nothing to look for: no values, or only short ones. */
  get isEmpty(): boolean {
    return this.matcher === null;
  }

  mask(text: string): string {
    if (this.matcher === null || text.length === 0) return text;
    const bytes = Buffer.from(text);
    const spans = this.find(bytes);
    return spans.length === 0 ? text : masked(bytes, spans).toString();
  }

  /** Masks an HTTP header's value, which has one character for each byte. */
  maskHeader(value: string): string {
    if (this.matcher === null) return value;
    const bytes = Buffer.from(value, 'latin1');
    const spans = this.find(bytes);
    return spans.length === 0 ? value : masked(bytes, spans).toString('latin1');
  }

  /** Where whole patterns are, in order, overlapping ones as one. */
  find(bytes: Buffer): Span[] {
    const spans: Span[] = [];
    this.search().read(bytes, spans);
    return spans;
  }

  /** A search through bytes that come in parts. */
  search(): PatternSearch {
    return new PatternSearch(this.matcher);
  }
}

/** One search through a stream of bytes. */
export class PatternSearch {
  private state = 0;
  private position = 0;

  constructor(private readonly matcher: PatternMatcher | null) {}

  /** Reads on, and adds what ends in these bytes to the spans found before, whose positions are those of the stream. */
  read(bytes: Buffer, spans: Span[]): void {
    const begin = this.position;
    this.position += bytes.length;
    if (this.matcher === null) return;
    this.state = this.matcher.read(bytes, this.state, (end, length) =>
      addSpan(spans, begin + end - length, begin + end),
    );
  }
}

/** @throws TooManyPatterns when values are too much to be looked for together */
export function checkPatterns(values: Iterable<string>): void {
  patternsOf(values);
}

/**
 * Every form of the values that is searched for, once.
 *
 * @throws TooManyPatterns
 */
function patternsOf(values: Iterable<string>): Buffer[] {
  const patterns = new Map<string, Buffer>();
  let bytes = 0;
  for (const value of values) {
    for (const form of secretForms(value)) {
      const key = form.toString('latin1');
      if (patterns.has(key)) continue;
      patterns.set(key, form);
      bytes += form.length;
      if (bytes > MAX_PATTERN_BYTES) throw new TooManyPatterns();
    }
  }
  return [...patterns.values()];
}

/** Spans come in the order of their ends, so one may begin before others that were there first. */
function addSpan(spans: Span[], from: number, end: number): void {
  let start = from;
  for (let last = spans.at(-1); last && last[1] > start; last = spans.at(-1)) {
    start = Math.min(start, last[0]);
    spans.pop();
  }
  spans.push([start, end]);
}

function masked(bytes: Buffer, spans: readonly Span[]): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (const [start, end] of spans) {
    parts.push(bytes.subarray(from, start), MASK_BYTES);
    from = end;
  }
  return Buffer.concat([...parts, bytes.subarray(from)]);
}
