import { describe, expect, it } from 'vitest';

import { problemOf } from './sign-in-ways.js';

const way = {
  id: 'acme',
  title: 'Acme',
  domains: ['acme.example'],
  begin: () => new URL('https://login.acme.example'),
  finish: () => Promise.reject(new Error('Nobody comes.')),
};

describe('a way to sign in', () => {
  it.each(['acme', 'acme-abroad'])('may be called %s by the extension acme', (id) => {
    expect(problemOf({ ...way, id }, 'acme')).toBeNull();
  });

  it.each<[object, RegExp]>([
    [{ id: 'other' }, /has to be called "acme"/],
    [{ id: 'acmes' }, /has to be called "acme"/],
    [{ id: 'acme/../x' }, /words in lower case/],
    [{ title: '' }, /no title/],
    [{ title: 'a\nb' }, /no title/],
    [{ domains: [] }, /names no `domains`/],
    [{ domains: ['Acme.example'] }, /"Acme.example", which is no domain/],
    [{ domains: ['@acme.example'] }, /no domain/],
    [{ finish: undefined }, /lacks one of the methods/],
  ])('is refused with %j', (change, problem) => {
    expect(problemOf({ ...way, ...change }, 'acme')).toMatch(problem);
  });
});
