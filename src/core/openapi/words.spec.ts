import { describe, expect, it } from 'vitest';

import { firstSentence, singular, words } from './words.js';

describe('words', () => {
  it.each([
    ['ApiKeys', 'API keys'],
    ['api-keys', 'API keys'],
    ['Runs', 'Runs'],
    ['OpenApi', 'Open API'],
  ])('reads %s as %s', (name, expected) => expect(words(name)).toBe(expected));
});

describe('singular', () => {
  it.each([
    ['runs', 'run'],
    ['deliveries', 'delivery'],
    ['access', 'access'],
  ])('takes one of %s', (plural, expected) => expect(singular(plural)).toBe(expected));
});

describe('firstSentence', () => {
  it('parts the first sentence from the others', () => {
    expect(firstSentence('Start a run. It may be\nheld.\n\nSee also.')).toEqual({
      first: 'Start a run',
      rest: 'It may be held.\n\nSee also.',
    });
    expect(firstSentence('Send x.y somewhere')).toEqual({ first: 'Send x.y somewhere', rest: '' });
    expect(firstSentence('Upload a file\n\nAs a form.\n\nOr so.')).toEqual({
      first: 'Upload a file',
      rest: 'As a form.\n\nOr so.',
    });
    expect(firstSentence('')).toEqual({ first: '', rest: '' });
    expect(firstSentence('Get it.')).toEqual({ first: 'Get it', rest: '' });
  });
});
