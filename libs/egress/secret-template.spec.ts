import { describe, expect, it } from 'vitest';
import { encodedTexts, filled, templateProblem } from './secret-template.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('a template', () => {
  it.each([
    ['{secret}', 'key', 'key'],
    ['Bearer {secret}', 'key', 'Bearer key'],
    ['Basic {base64:x-access-token:{secret}}', 'key', `Basic ${base64('x-access-token:key')}`],
    ['Basic {base64:{secret}:}', 'key', `Basic ${base64('key:')}`],
    ['a={secret} b={base64:{secret}}', 'kéy', `a=kéy b=${base64('kéy')}`],
    ['Basic {base64:u:{secret}}', 'a{secret}b$&{base64:x}', `Basic ${base64('u:a{secret}b$&{base64:x}')}`],
    ['{secret}', '{base64:{secret}}', '{base64:{secret}}'],
  ])('%s is filled with %s', (template, value, header) => expect(filled(template, value)).toBe(header));

  it.each([
    ['Bearer {secret}', null],
    ['Basic {base64:user:{secret}}', null],
    ['Bearer', /must contain \{secret\}/],
    ['Basic {base64:user:{secret}', /does not end/],
    ['Basic {base64:{user}:{secret}}', /does not end/],
    ['{base64:user} {secret}', /without \{secret\}/],
  ])('%s is checked', (template, problem) => {
    if (problem === null) expect(templateProblem(template)).toBeNull();
    else expect(templateProblem(template)).toMatch(problem);
  });

  it('tells what it encodes', () => {
    expect(encodedTexts('Basic {base64:u:{secret}}', 'key')).toEqual(['u:key', base64('u:key')]);
    expect(encodedTexts('Bearer {secret}', 'key')).toEqual([]);
  });
});
