import { describe, expect, it } from 'vitest';

import { chartsOf } from './output-charts.js';

describe('chartsOf', () => {
  it('draws the amounts of a table, by its first column of words', () => {
    const output = [
      { id: 7, month: 'May', sales: 3, costs: 1.5 },
      { id: 8, month: 'June', sales: null, costs: -2 },
    ];
    expect(chartsOf(output)).toEqual([
      {
        name: null,
        labels: ['May', 'June'],
        series: [
          { name: 'sales', values: [3, null] },
          { name: 'costs', values: [1.5, -2] },
        ],
        rows: 2,
      },
    ]);
    expect(chartsOf({ months: output.map(({ month, sales }) => ({ month, sales })) })[0]).toMatchObject({
      name: 'months',
      labels: ['May', 'June'],
    });
    const years = [
      { year: 2025, sales: 3 },
      { year: 2026, sales: 4 },
    ];
    expect(chartsOf(years)[0]).toMatchObject({ labels: ['2025', '2026'], series: [{ name: 'sales' }] });
  });

  it('draws numbers alone, by their names or places', () => {
    expect(chartsOf({ Berlin: 3, Paris: 5 })).toEqual([
      { name: null, labels: ['Berlin', 'Paris'], series: [{ name: 'value', values: [3, 5] }], rows: 2 },
    ]);
    expect(chartsOf([4, 2])).toEqual([
      { name: null, labels: ['1', '2'], series: [{ name: 'value', values: [4, 2] }], rows: 2 },
    ]);
  });

  it('draws so many rows, and no more', () => {
    const [chart] = chartsOf(Array.from({ length: 5000 }, (_, at) => ({ at: `t${at}`, value: at })));
    expect([chart!.labels.length, chart!.rows]).toEqual([400, 5000]);
  });

  it.each([['a text'], [3], [[{ a: 'b' }, { a: 'c' }]], [[{ a: 1 }]], [[]], [{ a: 1, b: 'c' }], [null]])(
    'has nothing to draw of %j',
    (output) => expect(chartsOf(output)).toEqual([]),
  );
});
