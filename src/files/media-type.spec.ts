import { describe, expect, it } from 'vitest';

import { processorTime } from '../../libs/fuzz/index.js';
import { mediaType, typeOfName } from './media-type.js';

describe('mediaType', () => {
  it.each([
    ['text/csv', 'text/csv'],
    ['Text/CSV; charset=utf-8', 'text/csv'],
    ['text/csv ;charset="ut\\"f" ; header=present;', 'text/csv'],
    ['image/svg+xml', 'image/svg+xml'],
    ['application/vnd.ms-excel', 'application/vnd.ms-excel'],
  ])('reads %j', (header, type) => expect(mediaType(header)).toBe(type));

  it.each([
    '',
    'text',
    'text/',
    '/csv',
    'text/csv/x',
    'text/c sv',
    'text/csv; charset',
    'text/csv\nx: y',
    'a/b; c="',
  ])('refuses %j', (header) => expect(mediaType(header)).toBeNull());

  it('returns at once for what is made to be slow', async () => {
    const time = await processorTime(() => expect(mediaType(`a/b${'; '.repeat(498)}\u0001`)).toBeNull());
    expect(time).toBeLessThan(10_000);
  });
});

describe('typeOfName', () => {
  it.each([
    ['summary.json', 'application/json'],
    ['charts/Sales.SVG', 'image/svg+xml'],
    ['rows.parquet', 'application/vnd.apache.parquet'],
    ['backup.tar.gz', 'application/gzip'],
    ['README', 'application/octet-stream'],
    ['.csv', 'application/octet-stream'],
    ['x.constructor', 'application/octet-stream'],
  ])('knows %j', (name, type) => expect(typeOfName(name)).toBe(type));
});
