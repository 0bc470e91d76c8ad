import { describe, expect, it } from 'vitest';

import { LineGroups } from './line-groups.js';

const LINES = [
  'before',
  '::group::Install',
  'one',
  'two',
  '::endgroup::',
  'between',
  '::group:: Test ',
  'three',
];
const textsOf = (groups: LineGroups, lines = LINES) => groups.visible.map((at) => lines[at]);

describe('LineGroups', () => {
  it('folds what has ended, and leaves open where the script is', () => {
    const groups = new LineGroups((_, end) => end === null).update(LINES);
    expect(textsOf(groups)).toEqual(['before', '::group::Install', 'between', '::group:: Test ', 'three']);
    expect([groups.at(1), groups.at(6), groups.at(0)]).toEqual([
      { title: 'Install', count: 2, isOpen: false },
      { title: 'Test', count: 1, isOpen: true },
      null,
    ]);
  });

  it('shows the lines of those that are opened, without the lines that end them', () => {
    const groups = new LineGroups((header) => header === 1).update(LINES);
    expect(textsOf(groups)).toEqual([
      'before',
      '::group::Install',
      'one',
      'two',
      'between',
      '::group:: Test ',
    ]);
  });

  it('goes on with what is new, and folds a group when its end comes', () => {
    const lines = LINES.slice(0, 4);
    const groups = new LineGroups((_, end) => end === null).update(lines);
    expect(textsOf(groups, lines)).toEqual(['before', '::group::Install', 'one', 'two']);
    lines.push('::group::Next', 'three');
    expect(textsOf(groups.update(lines), lines)).toEqual([
      'before',
      '::group::Install',
      '::group::Next',
      'three',
    ]);
  });

  it('says where a group begins and ends that is to be open or not', () => {
    const asked: [number, number | null][] = [];
    new LineGroups((...place) => asked.push(place) > 0).update(LINES);
    expect(asked).toEqual([
      [1, null],
      [1, 4],
      [6, null],
    ]);
  });

  it('leaves an end of nothing as it is', () => {
    const groups = new LineGroups(() => true).update(['::endgroup::', 'a']);
    expect([groups.visible, groups.isEmpty]).toEqual([[0, 1], true]);
  });
});
