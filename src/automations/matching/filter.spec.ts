import { describe, expect, it } from 'vitest';

import { filterProblems, mismatch } from './filter.js';
import { EVENT_PLACEHOLDERS } from './placeholders.js';

const data = {
  runId: 'run_1',
  error: null,
  test: false,
  durationMs: 0,
  script: { id: 'scr_1', slug: 'report', name: 'Report' },
  items: [{ id: 1 }, { id: 2 }],
  'a.b': 1,
};

describe('mismatch', () => {
  it.each<[string, Record<string, unknown>]>([
    ['nothing asked', {}],
    ['a text', { 'script.slug': 'report' }],
    ['null', { error: null }],
    ['false and 0', { test: false, durationMs: 0 }],
    ['an object, its fields in any order', { script: { name: 'Report', slug: 'report', id: 'scr_1' } }],
    ['a list', { items: [{ id: 1 }, { id: 2 }] }],
    ['an item of a list', { 'items.1.id': 2 }],
  ])('fits: %s', (_, filter) => {
    expect(mismatch(filter, data)).toBeNull();
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['another text', { 'script.slug': 'other' }, 'script.slug'],
    ['one of two', { runId: 'run_1', 'script.slug': 'other' }, 'script.slug'],
    ['nothing for null', { missing: null }, 'missing'],
    ['null for a text', { error: 'null' }, 'error'],
    ['0 for false', { durationMs: false }, 'durationMs'],
    ['a text for a number', { durationMs: '0' }, 'durationMs'],
    ['part of an object', { script: { slug: 'report' } }, 'script'],
    ['more than the object', { script: { ...data.script, more: 1 } }, 'script'],
    ['a list in another order', { items: [{ id: 2 }, { id: 1 }] }, 'items'],
    ['a list for an object', { items: { 0: { id: 1 }, 1: { id: 2 } } }, 'items'],
    ['an item that is not there', { 'items.2': null }, 'items.2'],
    ['an index written otherwise', { 'items.01.id': 2 }, 'items.01.id'],
    ['the length of a list', { 'items.length': 2 }, 'items.length'],
    ['a letter of a text', { 'runId.0': 'r' }, 'runId.0'],
    ['what objects have by nature', { constructor: {} }, 'constructor'],
    ['the prototype', { '__proto__.x': 1 }, '__proto__.x'],
    ['a step into null', { 'error.x': null }, 'error.x'],
    ['a name with a dot', { 'a.b': 1 }, 'a.b'],
  ])('does not fit: %s', (_, filter, path) => {
    expect(mismatch(filter, data)).toBe(path);
  });

  it('compares what is deep without end of the stack', () => {
    const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
    expect(mismatch({ x: deep(60) }, { x: deep(60) })).toBeNull();
    expect(mismatch({ x: deep(60) }, { x: deep(59) })).toBe('x');
  });
});

describe('filterProblems', () => {
  it('lets pass what names paths', () => {
    expect(filterProblems({ 'script.slug': 'a', 'items.0': null }, EVENT_PLACEHOLDERS)).toEqual([]);
  });

  it.each(['', '.', 'a.', '.a', 'a..b'])('names the path %j', (path) => {
    expect(filterProblems({ ok: 1, [path]: 1 }, EVENT_PLACEHOLDERS)).toEqual([
      { path: `filter.${path}`, message: expect.stringContaining('dotted path') },
    ]);
  });

  it('limits how long and how many', () => {
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`p${index}`, 1]));
    expect(filterProblems(many, EVENT_PLACEHOLDERS)[0]?.message).toMatch(/at most 50/);
    expect(filterProblems({ a: 'x'.repeat(20_000) }, EVENT_PLACEHOLDERS)[0]?.message).toMatch(
      /longer than 16384/,
    );
    expect(filterProblems({ ['x'.repeat(201)]: 1 }, EVENT_PLACEHOLDERS)[0]?.message).toMatch(/more than 200/);
  });
});
