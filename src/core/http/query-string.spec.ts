import { describe, expect, it } from 'vitest';

import { InvalidRequest } from '../errors/index.js';
import { parseQuery } from './query-string.js';
import { Repeatable } from './repeatable.js';

function place(address: string): string | undefined {
  try {
    parseQuery(address);
  } catch (error) {
    if (error instanceof InvalidRequest) return error.details?.[0]?.path;
    throw error;
  }
  throw new Error('was accepted');
}

describe('parseQuery', () => {
  it('reads names and values, escaped or not', () => {
    expect({ ...parseQuery('/x') }).toEqual({});
    expect({ ...parseQuery('/x?') }).toEqual({});
    expect({ ...parseQuery('/x?a=1&b=c=d&&e=f%26g+h%2B&%C3%A4=%EF%BB%BF1&toString=2') }).toEqual({
      a: '1',
      b: 'c=d',
      e: 'f&g h+',
      ä: '\ufeff1',
      toString: '2',
    });
    expect(parseQuery(`/x?a=${Buffer.from('ä?').toString('latin1')}`)['a']).toBe('ä?');
  });

  it('reads what may be given several times as an array, also where it is given once', () => {
    class Query {
      several?: string[];
    }
    Repeatable()(Query.prototype, 'several');
    expect({ ...parseQuery('/x?several=1&a=2&several=3%26') }).toEqual({ several: ['1', '3&'], a: '2' });
    expect({ ...parseQuery('/x?several=1') }).toEqual({ several: ['1'] });
    expect(place('/x?several=1&several=')).toBe('several');
  });

  it.each([
    ['?a=1&a=2', 'a'],
    ['?a=', 'a'],
    ['?a', 'a'],
    ['?a=%', 'a'],
    ['?a=%4', 'a'],
    ['?a=%4g', 'a'],
    ['?a=%C3', 'a'],
    ['?a=\xff', 'a'],
    ['?a=%ED%A0%80', 'a'],
    ['?a=%C0%80', 'a'],
    ['?a=%00', 'a'],
    ['?%=1', 'query'],
    ['?%00=1', 'query'],
    ['?=1', 'query'],
  ])('refuses %s', (query, path) => expect(place(`/x${query}`)).toBe(path));
});
