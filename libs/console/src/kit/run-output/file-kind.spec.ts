import { describe, expect, it } from 'vitest';

import { fileKind, pictureType } from './file-kind.js';

describe('fileKind', () => {
  it.each([
    ['image/png', 'x', 'picture'],
    ['application/octet-stream', 'chart.PNG', 'picture'],
    ['text/csv; charset=utf-8', 'x', 'csv'],
    ['application/octet-stream', 'report.tsv', 'csv'],
    ['application/json', 'x', 'text'],
    ['application/octet-stream', 'run.log', 'text'],
    ['text/html', 'page.png', 'text'],
    ['application/pdf', 'x.pdf', 'other'],
  ])('%s %s → %s', (type, name, kind) => {
    expect(fileKind({ type, name })).toBe(kind);
  });

  it('gives a picture no other type than that of a picture', () => {
    expect(pictureType({ type: 'application/octet-stream', name: 'a.svg' })).toBe('image/svg+xml');
    expect(pictureType({ type: 'text/html', name: 'a.svg' })).toBeNull();
  });
});
