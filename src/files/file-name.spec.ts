import { describe, expect, it } from 'vitest';

import { baseName, charactersProblem, fileNameProblem, outputName } from './file-name.js';

describe('baseName', () => {
  it.each([
    ['report.csv', 'report.csv'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\report.csv', 'report.csv'],
    ['a/b\\c.txt', 'c.txt'],
    ['a\\b/c.txt', 'c.txt'],
    ['übersicht – 東京.csv', 'übersicht – 東京.csv'],
    ['.env', '.env'],
    ['', 'file'],
    ['   ', 'file'],
    ['folder/', 'file'],
    ['..', 'file'],
    ['a/.', 'file'],
  ])('makes %j into %j', (path, name) => expect(baseName(path)).toBe(name));
});

describe('charactersProblem', () => {
  it('judges folders as well', () => {
    for (const path of ['', 'a/b.txt', 'C:\\x', '東京 – é.csv']) expect(charactersProblem(path)).toBeNull();
    for (const path of ['a\n/b', 'a\u202e/b', '\u0085', 'a\0'])
      expect(charactersProblem(path)).not.toBeNull();
  });
});

describe('fileNameProblem', () => {
  it('takes 255 bytes and not one more', () => {
    expect(fileNameProblem('a'.repeat(255))).toBeNull();
    expect(fileNameProblem('a'.repeat(256))).toContain('255 bytes');
    expect(fileNameProblem('é'.repeat(128))).toContain('255 bytes');
  });

  it.each(['a\nb', 'a\rb', 'a\0b', 'a\u007fb', 'a\u2028b', 'gpj\u202e.exe'])('refuses %j', (name) => {
    expect(fileNameProblem(name)).toContain('control characters');
  });
});

describe('outputName', () => {
  it('keeps folders and replaces what cannot be shown', () => {
    expect(outputName('charts/a\nb\u202e.svg')).toBe('charts/a_b_.svg');
  });
});
