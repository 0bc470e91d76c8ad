import { describe, expect, it } from 'vitest';

import { named } from './named-parameters.js';

describe('named', () => {
  it('puts each value where its name stands, however often that is', () => {
    const rename = named<{ id: string; name: string | null }>(
      'UPDATE t SET name = :name, before = name WHERE id = :id AND name IS DISTINCT FROM :name',
    );
    expect(rename({ id: 'a', name: null })).toEqual([
      'UPDATE t SET name = $1, before = name WHERE id = $2 AND name IS DISTINCT FROM $1',
      [null, 'a'],
    ]);
  });

  it('gives the same text each time, so that it is prepared once', () => {
    const find = named<{ id: string }>('SELECT :id');
    expect(find({ id: 'a' })[0]).toBe(find({ id: 'b' })[0]);
  });

  it('tells names that begin alike apart', () => {
    expect(named('SELECT :a, :ab, :a_b, :a1')({ a: 1, ab: 2, a_b: 3, a1: 4 })).toEqual([
      'SELECT $1, $2, $3, $4',
      [1, 2, 3, 4],
    ]);
  });

  it.each([
    ['a cast', 'SELECT now()::date, :a::text', 'SELECT now()::date, $1::text'],
    ['a text', `SELECT 'HH24:MI' || 'it''s:so' || ':a', :a`, `SELECT 'HH24:MI' || 'it''s:so' || ':a', $1`],
    ['a quoted name', 'SELECT x AS "a:b", :a', 'SELECT x AS "a:b", $1'],
    ['a slice', 'SELECT (x)[1:10], :a', 'SELECT (x)[1:10], $1'],
    ['a comment', '-- :b\nSELECT :a', '-- :b\nSELECT $1'],
  ])('leaves %s alone', (_, sql, text) => {
    expect(named<{ a: number }>(sql)({ a: 1 })).toEqual([text, [1]]);
  });

  it('refuses a text with positions, and a name without a value', () => {
    expect(() => named('SELECT :a, $1')).toThrow('$1 stands beside named parameters.');
    expect(() => named<object>('SELECT :a')({})).toThrow(':a has no value');
    expect(named('SELECT :a')({ a: null })[1]).toEqual([null]);
  });
});
