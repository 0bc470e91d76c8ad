import { describe, expect, it } from 'vitest';

import { parseLabel, PrintedLabels } from './printed-labels.js';

describe('parseLabel', () => {
  it.each([
    ['::label customer=acme', { key: 'customer', value: 'acme' }],
    ['::label\ta.b-c_1=  x = y ', { key: 'a.b-c_1', value: 'x = y' }],
  ])('reads %j', (line, label) => expect(parseLabel(line)).toEqual(label));

  it.each([
    '::label',
    '::label a',
    '::label a=',
    '::label a= ',
    '::label A=1',
    '::label =1',
    '::label a b=1',
    '::labela=1',
    ' ::label a=1',
    '::progress 0.5',
  ])('leaves %j in the log', (line) => expect(parseLabel(line)).toBeNull());
});

describe('PrintedLabels', () => {
  it('says nothing until something has changed', () => {
    const labels = new PrintedLabels({ a: '1' });
    expect(labels.add({ key: 'a', value: '1' })).toBeNull();
    expect(labels.changed).toBeNull();
    labels.add({ key: 'b', value: '2' });
    expect(labels.changed).toEqual({ a: '1', b: '2' });
    labels.stored(labels.changed);
    expect(labels.changed).toBeNull();
  });

  it('tells once that there are too many, or that one is too long, and goes on changing those that there are', () => {
    const labels = new PrintedLabels(
      Object.fromEntries(Array.from({ length: 16 }, (_, n) => [`l${n}`, '-'])),
    );
    expect(labels.add({ key: 'more', value: '1' })).toMatch(/^\[labels were dropped here/);
    expect(labels.add({ key: 'l0', value: 'x'.repeat(257) })).toBeNull();
    expect(labels.changed).toBeNull();
    labels.add({ key: 'l1', value: 'new' });
    expect(labels.changed).toMatchObject({ l0: '-', l1: 'new' });
  });
});
