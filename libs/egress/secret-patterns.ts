import { secretForms } from './secret-forms.js';

/** From a position up to, not including, another. */
export type Span = [start: number, end: number];

export const MASK = '***';
const MASK_BYTES = Buffer.from(MASK);
/** The search looks for beginnings of this length and compares the rest: longer ones make it slower, not better. */
const PROBE_LENGTH = 16;

/**
 * Finds secret values in text and bytes, in every form that `secretForms` knows, and masks them.
 *
 * @example
 * new SecretPatterns(['sk_live_12345']).mask('key: sk_live_12345'); // 'key: ***'
 */
export class SecretPatterns {
  /** Longest first. */
  private readonly patterns: readonly Buffer[];
  private readonly byFirstByte = new Map<number, Buffer[]>();
  private readonly probe: RegExp | null;

  constructor(values: Iterable<string>) {
    const forms = new Map(
      Array.from(values)
        .flatMap(secretForms)
        .map((form) => [form.toString('latin1'), form]),
    );
    this.patterns = [...forms.values()].sort((one, other) => other.length - one.length);
    for (const pattern of this.patterns) {
      const first = pattern[0] ?? 0;
      this.byFirstByte.set(first, [...(this.byFirstByte.get(first) ?? []), pattern]);
    }
    const probes = new Set(this.patterns.map((pattern) => pattern.toString('latin1', 0, PROBE_LENGTH)));
    this.probe = probes.size > 0 ? new RegExp([...probes].map(literally).join('|'), 'g') : null;
  }

  /** Nothing to look for: no values, or only short ones. */
  get isEmpty(): boolean {
    return this.probe === null;
  }

  /** Masks a text. */
  mask(text: string): string {
    if (this.probe === null) return text;
    const bytes = Buffer.from(text);
    const spans = this.find(bytes);
    return spans.length === 0 ? text : this.masked(bytes, spans).toString();
  }

  /** Masks an HTTP header's value, which has one character for each byte. */
  maskHeader(value: string): string {
    if (this.probe === null) return value;
    const bytes = Buffer.from(value, 'latin1');
    const spans = this.find(bytes);
    return spans.length === 0 ? value : this.masked(bytes, spans).toString('latin1');
  }

  /** Where whole patterns are, in order, overlapping ones as one. */
  find(bytes: Buffer): Span[] {
    if (this.probe === null) return [];
    const spans: Span[] = [];
    const text = bytes.toString('latin1');
    this.probe.lastIndex = 0;
    for (let hit = this.probe.exec(text); hit !== null; hit = this.probe.exec(text)) {
      const start = hit.index;
      const length = this.lengthAt(bytes, start);
      if (length > 0) addSpan(spans, start, start + length);
      // A pattern may begin within another one.
      this.probe.lastIndex = start + 1;
    }
    return spans;
  }

  /** Where the end of the bytes may be the beginning of a pattern that goes on; their length if nowhere. */
  heldFrom(bytes: Buffer): number {
    let held = bytes.length;
    for (const [first, patterns] of this.byFirstByte) {
      const longest = patterns[0]?.length ?? 0;
      let at = bytes.indexOf(first, Math.max(0, bytes.length - longest + 1));
      while (at >= 0 && at < held) {
        const rest = bytes.length - at;
        if (
          patterns.some(
            (pattern) => pattern.length > rest && pattern.compare(bytes, at, bytes.length, 0, rest) === 0,
          )
        ) {
          held = at;
        }
        at = bytes.indexOf(first, at + 1);
      }
    }
    return held;
  }

  private lengthAt(bytes: Buffer, start: number): number {
    const found = this.byFirstByte.get(bytes[start] ?? -1)?.find((pattern) => {
      const end = start + pattern.length;
      return end <= bytes.length && pattern.compare(bytes, start, end) === 0;
    });
    return found?.length ?? 0;
  }

  private masked(bytes: Buffer, spans: readonly Span[]): Buffer {
    const parts: Buffer[] = [];
    let from = 0;
    for (const [start, end] of spans) {
      parts.push(bytes.subarray(from, start), MASK_BYTES);
      from = end;
    }
    return Buffer.concat([...parts, bytes.subarray(from)]);
  }
}

function addSpan(spans: Span[], start: number, end: number): void {
  const last = spans.at(-1);
  if (last && start < last[1]) last[1] = Math.max(last[1], end);
  else spans.push([start, end]);
}

function literally(text: string): string {
  return text.replace(
    /[^a-zA-Z0-9]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
