import { describe, expect, it } from 'vitest';

import { parseView } from './output-view.js';

describe('parseView', () => {
  it.each([
    ['::view chart', 'chart'],
    ['::view\tmarkdown  ', 'markdown'],
    ['::view table', 'table'],
  ])('reads %j', (line, view) => expect(parseView(line)).toBe(view));

  it.each(['::view', '::view pie', '::view chart now', ' ::view chart', '::viewchart', '::view CHART'])(
    'leaves %j to the log',
    (line) => expect(parseView(line)).toBeNull(),
  );
});
