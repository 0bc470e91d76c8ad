import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const FOLDER = import.meta.dirname;

function digestOf(file: string): string {
  return createHash('sha256')
    .update(readFileSync(join(FOLDER, file)))
    .digest('hex');
}

/**
 * Databases out there were made by these very files. A new migration is written down in `landed.json` when it lands;
 * what is written down there never changes, and neither does its file.
 */
describe('migrations', () => {
  const landed = JSON.parse(readFileSync(join(FOLDER, 'landed.json'), 'utf8')) as Record<string, string>;
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('.spec.'))
    .sort();

  it('that have landed are as they were', () => {
    expect(Object.fromEntries(Object.keys(landed).map((file) => [file, digestOf(file)]))).toEqual(landed);
  });

  it('are each written down in landed.json', () => {
    const missing = files.filter((file) => !(file in landed));
    expect(Object.fromEntries(missing.map((file) => [file, digestOf(file)]))).toEqual({});
  });
});
