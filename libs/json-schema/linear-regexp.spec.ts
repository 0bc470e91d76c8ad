import { describe, expect, it } from 'vitest';
import { compileLinearRegExp } from './linear-regexp.js';

describe('compileLinearRegExp', () => {
  it.each([
    ['^[A-Z]{2,3}-\\d+$', ['AB-1', 'ABC-99'], ['A-1', 'AB-', 'xAB-1']],
    ['^\\u0041\\u{1F600}$', ['A😀'], ['A']],
    ['^\\p{L}+$', ['été', 'Ω'], ['1']],
    ['\\/\\.', ['/.'], ['/x']],
    ['^.{2}$', ['é😀'], ['é']],
    ['a$', ['a'], ['a\n']],
    ['^[^]$', ['\n'], ['']],
    ['\\\\k', ['\\k'], ['k']],
    ['^a\\sb$', ['a b', 'a\u00a0b', 'a\u3000b', 'a\ufeffb', 'a\vb'], ['ab', 'a\u200bb']],
    ['^[\\s-]$', ['\u00a0', '-'], ['a']],
    ['^\\S[\\S]$', ['ab', '\u200bb', '😀b'], ['a\u00a0', ' b']],
    ['^[^\\S]$', ['\u2003'], ['a']],
    ['^.$', ['a', '\u0085'], ['\r', '\u2028', '\u2029', '\n']],
    ['^[.]\\.$', ['..'], ['a.', '.a']],
    ['^\\ud83d\\ude00$', ['😀'], ['a']],
    ['^[\\ud83d\\ude00-\\ud83d\\ude02]$', ['😁'], ['a']],
    ['^\\\\s$', ['\\s'], [' ', '\\ ']],
    ['^[[.]$', ['[', '.'], [']', 'a']],
    ['^(?<n>.)$', ['a'], ['\u2028']],
    ['^[[:alpha:][x]$', [':x'], ['b', 'x']],
  ])('matches as ECMAScript does: %s', (pattern, yes, no) => {
    const linear = compileLinearRegExp(pattern);
    const native = new RegExp(pattern, 'u');
    for (const text of [...yes, ...no]) expect(linear.test(text)).toBe(native.test(text));
    for (const text of yes) expect(linear.test(text)).toBe(true);
  });

  it.each([
    '(?=a)',
    '(?!a)',
    '(?<=a)',
    '(?<!a)',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    'a{1001}',
    '((a{100}){100}){100}',
  ])('refuses %s as not supported', (pattern) =>
    expect(() => compileLinearRegExp(pattern)).toThrow('linear-time'),
  );

  it.each(['(', '[a', '\\Z', 'a**', '{', '\\p{Nope}'])('refuses %s as not valid', (pattern) =>
    expect(() => compileLinearRegExp(pattern)).toThrow('valid regular expression'),
  );
});
