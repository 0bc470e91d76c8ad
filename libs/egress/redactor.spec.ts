import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Redactor } from './redactor.js';
import { SecretPatterns } from './secret-patterns.js';

async function redact(values: string[], chunks: (string | Buffer)[]): Promise<Buffer> {
  const redactor = new Redactor(new SecretPatterns(values));
  const parts: Buffer[] = [];
  for await (const part of Readable.from(chunks.map((chunk) => Buffer.from(chunk))).pipe(redactor))
    parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function inPieces(text: string, size: number): string[] {
  return text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
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
    for (let round = 0; round < 200; round += 1) {
      const letters = Array.from({ length: 120 }, () => 'abcd-x'[Math.floor(Math.random() * 6)]).join('');
      const mixed = letters.replace(/d/g, () => values[Math.floor(Math.random() * 4)] ?? '');
      const got = (await redact(values, inPieces(mixed, 1 + Math.floor(Math.random() * 9)))).toString();
      for (const value of values) expect(got.includes(value)).toBe(false);
      expect(got.replace(/\*+/g, '*')).toBe(whole.mask(mixed).replace(/\*+/g, '*'));
    }
  });

  it('lets go of a short beginning when nothing follows, and masks the rest all the same', async () => {
    const redactor = new Redactor(new SecretPatterns(['secret-value']), { flushAfterMs: 20 });
    let got = '';
    redactor.on('data', (chunk: Buffer) => (got += chunk.toString()));
    redactor.write('x se');
    expect(got).toBe('x ');
    await pause(60);
    expect(got).toBe('x se');
    redactor.write('cret-val');
    await pause(60);
    expect(got).toBe('x se');
    redactor.write('ue and secret-value');
    redactor.end('.');
    await pause(10);
    expect(got).toBe('x se*** and ***.');
  });

  it('gives nothing more away to a host that answers drop by drop', async () => {
    const redactor = new Redactor(new SecretPatterns(['secret-value']), { flushAfterMs: 1 });
    let got = '';
    redactor.on('data', (chunk: Buffer) => (got += chunk.toString()));
    for (const letter of 'secret-value, secret-other') {
      redactor.write(letter);
      await pause(5);
    }
    redactor.end();
    await pause(5);
    expect(got).toBe('sec***, secret-other');
  });

  it('lets nothing go in front of a value that is within another one', async () => {
    const redactor = new Redactor(new SecretPatterns(['long-and-inner-value', 'inner-']), {
      flushAfterMs: 1,
    });
    let got = '';
    redactor.on('data', (chunk: Buffer) => (got += chunk.toString()));
    for (const part of ['long-and-', 'inner-', 'value.']) {
      redactor.write(part);
      await pause(10);
    }
    expect(got).toBe('***.');
  });

  it('masks a value that became whole before a longer one was ruled out', async () => {
    const redactor = new Redactor(new SecretPatterns(['secret', 'secret-value']), { flushAfterMs: 20 });
    let got = '';
    redactor.on('data', (chunk: Buffer) => (got += chunk.toString()));
    redactor.write('x secret');
    await pause(60);
    expect(got).toBe('x ***');
    redactor.end('-value, secret');
    await pause(10);
    expect(got).toBe('x ******, ***');
  });

  it('is fast enough for downloads', async () => {
    const redactor = new Redactor(
      new SecretPatterns(['sk_live_4eC39HqLyjWDarjtT1zdp7dc', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a']),
    );
    redactor.resume();
    const chunk = Buffer.from(randomBytes(48_000).toString('base64'));
    const before = process.cpuUsage();
    for (let count = 0; count < 800; count += 1) redactor.write(chunk);
    const { user, system } = process.cpuUsage(before);
    // 51 MB: a hundredth of a second a megabyte is ten times what it takes.
    expect((user + system) / 1_000_000).toBeLessThan(0.5);
  });
});
