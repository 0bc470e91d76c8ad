import { setImmediate as turn } from 'node:timers/promises';

import { SecretPatterns } from '../../libs/egress/index.js';

/** Keeps secret values out of what a run leaves behind. Values under 6 characters are not looked for. */
export interface Masker {
  /** Masks a text. Give it whole lines before they are cut, or the whole text. */
  maskLine(text: string): string;
  /**
   * Masks the texts, names and numbers in a value that came from JSON, whatever they were escaped as. It is changed in
   * place, a little at a time: a run's output may hold some hundred thousand of them.
   */
  maskJson(value: unknown): Promise<unknown>;
  /** The length in bytes of the longest text that is masked: how far to look beyond a cut. */
  readonly longest: number;
}

/** After so long, other work gets its turn. */
const SLICE_MS = 10;
/** So many parts of a value are masked before the clock is read again. */
const PARTS_BETWEEN_LOOKS = 256;

/** @throws TooManyPatterns */
export function maskerFor(values: Iterable<string>): Masker {
  const patterns = new SecretPatterns(values);
  const mask = (text: string): string => patterns.mask(text);
  return {
    maskLine: mask,
    maskJson: (value) => (patterns.isEmpty ? Promise.resolve(value) : maskValue(value, mask)),
    longest: patterns.longest,
  };
}

type Container = Record<string, unknown>;

async function maskValue(value: unknown, mask: (text: string) => string): Promise<unknown> {
  const root: Container = { value };
  const containers = [root];
  let parts = 0;
  let sliceEnd = performance.now() + SLICE_MS;
  for (const container of containers) {
    for (const name of Object.keys(container)) {
      const item = container[name];
      if (typeof item === 'string') container[name] = mask(item);
      else if (typeof item === 'number') container[name] = maskNumber(item, mask);
      else if (typeof item === 'object' && item !== null) {
        const named = withMaskedNames(item as Container, mask);
        container[name] = named;
        containers.push(named);
      }
      parts += 1;
      if (parts % PARTS_BETWEEN_LOOKS !== 0 || performance.now() < sliceEnd) continue;
      await turn();
      sliceEnd = performance.now() + SLICE_MS;
    }
  }
  return root['value'];
}

function withMaskedNames(item: Container, mask: (text: string) => string): Container {
  if (Array.isArray(item)) return item;
  const names = Object.keys(item);
  if (names.every((name) => mask(name) === name)) return item;
  return Object.fromEntries(names.map((name) => [mask(name), item[name]]));
}

/** A secret may be all digits. */
function maskNumber(value: number, mask: (text: string) => string): number | string {
  const text = String(value);
  const masked = mask(text);
  return masked === text ? value : masked;
}
