import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { rounds } from '../fuzz/index.js';
import { Redactor, type RedactorOptions } from './redactor.js';
import { SecretPatterns } from './secret-patterns.js';

async function redact(
  values: string[],
  chunks: (string | Buffer)[],
  options: RedactorOptions = {},
): Promise<Buffer> {
  const redactor = new Redactor(new SecretPatterns(values), options);
  const parts: Buffer[] = [];
  for await (const part of Readable.from(chunks.map((chunk) => Buffer.from(chunk))).pipe(redactor))
    parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function inPieces(text: string, size: number): string[] {
  return text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
}

/** The sizes of the pieces that came out after each piece that went in, and after the end; waits between them if told to. */
async function sizesOf(values: string[], chunks: readonly string[], pauseMs = 0): Promise<number[][]> {
  const redactor = new Redactor(new SecretPatterns(values));
  let sizes: number[] = [];
  redactor.on('data', (chunk: Buffer) => sizes.push(chunk.length));
  const all: number[][] = [];
  const next = async (): Promise<void> => {
    await (pauseMs > 0 ? pause(pauseMs) : turn());
    all.push(sizes);
    sizes = [];
  };
  for (const chunk of chunks) {
    redactor.write(chunk);
    await next();
  }
  redactor.end();
  await next();
  return all;
}

/** A repeatable source of numbers below a bound. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

function randomPieces(text: string, roll: (below: number) => number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const size = 1 + roll(roll(4) === 0 ? 300 : 9);
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}

describe('Redactor', () => {
  const text = 'a secret-value b secret-valu c secretsecret-value secret-value-two, end with secret-';

  it.each([1, 2, 3, 5, 8, 13, 100])('masks values split into pieces of %i', async (size) => {
    const got = await redact(['secret-value', 'secret-value-two'], inPieces(text, size));
    expect(got.toString()).toBe('a *** b secret-valu c secret*** ***, end with secret-');
  });

  it('passes bytes unchanged that hold no value', async () => {
    const bytes = randomBytes(500_000);
    const chunks = Array.from({ length: 50 }, (_, index) =>
      bytes.subarray(index * 10_000, (index + 1) * 10_000),
    );
    expect((await redact(['secret-value'], chunks)).equals(bytes)).toBe(true);
  });

  it('gives the same for random texts and pieces as for the whole', async () => {
    const values = ['abcabc', 'abcabcabd', 'bcabca-x', 'aaaaaa'];
    const whole = new SecretPatterns(values);
    const roll = dice(1);
    for (let round = 0; round < rounds(300); round += 1) {
      const letters = Array.from({ length: 120 }, () => 'abcd-x'[roll(6)]).join('');
      const mixed = letters.replace(/d/g, () => values[roll(4)] ?? '');
      const got = (await redact(values, inPieces(mixed, 1 + roll(9)))).toString();
      for (const value of values) expect(got.includes(value)).toBe(false);
      expect(got).toBe(whole.mask(mixed));
    }
  });

  it('masks overlapping values as one, wherever the pieces end', async () => {
    const values = ['long-and-inner-value', 'inner-', 'value.then'];
    for (const size of [1, 2, 4, 7, 100]) {
      const got = await redact(values, inPieces('<long-and-inner-value.then>inner-inner-', size));
      expect(got.toString()).toBe('<***>******');
    }
  });

  it('is fast enough for downloads', () => {
    const patterns = new SecretPatterns([
      'sk_live_4eC39HqLyjWDarjtT1zdp7dc',
      'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
    ]);
    const redactor = new Redactor(patterns);
    redactor.resume();
    const chunk = Buffer.from(randomBytes(48_000).toString('base64'));
    const before = process.cpuUsage();
    for (let count = 0; count < 800; count += 1) redactor._transform(chunk, 'binary', () => undefined);
    const { user, system } = process.cpuUsage(before);
    // 51 MB: a hundredth of a second a megabyte is ten times what it takes.
    expect((user + system) / 1_000_000).toBeLessThan(0.5);
  });
});

describe('a script that guesses', () => {
  const SECRET = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
  const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
  const wrong = (length: number): string => '!'.repeat(length);

  it.each([0, 80])('sees no difference when it waits %i ms after its guess', async (pauseMs) => {
    for (const known of [1, 3, 4, 16, SECRET.length - 1]) {
      const right = await sizesOf([SECRET], [`data: ${SECRET.slice(0, known)}`, '\n\n'], pauseMs);
      const other = await sizesOf([SECRET], [`data: ${wrong(known)}`, '\n\n'], pauseMs);
      expect(right).toEqual(other);
    }
  });

  it('cannot find the next letter by the pieces that come back', async () => {
    for (const known of [0, 5, 20, SECRET.length - 2]) {
      const guesses = [...LETTERS].map((letter) => SECRET.slice(0, known) + letter);
      const outcomes = new Set<string>();
      // Long enough that all of the guess has come back before the end.
      for (const guess of guesses) {
        outcomes.add(JSON.stringify(await sizesOf([SECRET], [guess, ...inPieces('-'.repeat(400), 37)])));
      }
      expect(outcomes.size).toBe(1);
    }
  });

  it('gets pieces that depend on the sizes of those that went in, however they are cut', async () => {
    const values = [SECRET, 'abcabcabd', 'p@ss "w/ö~rd"', 'first line of it\nsecond line of it'];
    const forms = [
      ...values,
      Buffer.from(SECRET).toString('base64'),
      Buffer.from(SECRET).toString('hex'),
      encodeURIComponent(values[2]!),
    ].map((form) => Buffer.from(form).toString('latin1'));
    const roll = dice(7);
    for (let round = 0; round < rounds(150); round += 1) {
      // Nearly whole secrets, one after the other, and something of the same length that is none.
      let near = '';
      for (let count = 0; count < 12; count += 1) {
        const form = forms[roll(forms.length)]!;
        const part = form.slice(0, 1 + roll(5));
        near += roll(3) === 0 ? `${part}|` : `${form.slice(0, roll(form.length))}|`;
      }
      if (new SecretPatterns(values).mask(near) !== near) continue;
      const pieces = randomPieces(near, roll);
      const blank = pieces.map((piece) => '.'.repeat(Buffer.byteLength(piece)));
      expect(await sizesOf(values, pieces)).toEqual(await sizesOf(values, blank));
    }
  });

  it('learns of a whole match only, and when it has all of it', async () => {
    const right = await sizesOf([SECRET], [SECRET, '-'.repeat(400)]);
    const other = await sizesOf([SECRET], [wrong(SECRET.length), '-'.repeat(400)]);
    expect(right[0]).toEqual(other[0]);
    expect(right.flat().reduce((sum, size) => sum + size)).toBe(400 + 3);
  });

  it('gets everything once the host has ended, and nothing of what is held back before', async () => {
    const patterns = new SecretPatterns([SECRET]);
    const redactor = new Redactor(patterns);
    let got = '';
    redactor.on('data', (chunk: Buffer) => (got += chunk.toString()));
    redactor.write('data: a short event\n\n');
    await pause(150);
    expect(got).toBe('');
    redactor.write('.'.repeat(patterns.longest - 1));
    await turn();
    expect(got).toBe('data: a short event\n\n');
    redactor.end();
    await turn();
    expect(got).toHaveLength(21 + patterns.longest - 1);
  });

  it.each([1, 3, 10, 1000])(
    'keeps the length where each byte has its place, in pieces of %s',
    async (size) => {
      const text = `${'.'.repeat(70)}${SECRET}${'-'.repeat(50)}${SECRET}${SECRET}!`;
      const stars = '*'.repeat(SECRET.length);
      const got = await redact([SECRET], inPieces(text, size), { keepsLength: true });
      expect(got.toString()).toBe(text.replaceAll(SECRET, stars));
    },
  );

  it('does not make it slow with one byte at a time and a long secret', async () => {
    const patterns = new SecretPatterns([randomBytes(30_000).toString('base64')]);
    const redactor = new Redactor(patterns);
    let bytes = 0;
    redactor.on('data', (chunk: Buffer) => (bytes += chunk.length));
    const before = process.cpuUsage();
    for (let count = 0; count < 200_000; count += 1)
      redactor._transform(Buffer.from('x'), 'binary', () => undefined);
    const { user, system } = process.cpuUsage(before);
    redactor.end();
    await turn();
    expect(bytes).toBe(200_000);
    expect((user + system) / 1_000_000).toBeLessThan(4);
  });
});
