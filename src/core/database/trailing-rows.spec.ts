import { describe, expect, it } from 'vitest';

import { type TrailingInsert, TrailingRows } from './trailing-rows.js';

const cats: TrailingInsert = (rows) => `INSERT INTO cats SELECT * FROM json_to_recordset(${rows}::json)`;
const dogs: TrailingInsert = (rows) => `INSERT INTO dogs SELECT * FROM json_to_recordset(${rows}::json)`;

describe('TrailingRows', () => {
  it('has nothing to write at first, nor of no rows', () => {
    const trailing = new TrailingRows();
    trailing.add(cats, []);
    expect(trailing.take()).toBeNull();
  });

  it('writes the rows of a table in the order in which they came', () => {
    const trailing = new TrailingRows();
    trailing.add(cats, [{ id: 1 }]);
    trailing.add(cats, [{ id: 2 }, { id: 3 }]);
    expect(trailing.take()).toEqual([cats('$1'), ['[{"id":1},{"id":2},{"id":3}]']]);
  });

  it('writes those of several tables in one statement', () => {
    const trailing = new TrailingRows();
    trailing.add(cats, [{ id: 1 }]);
    trailing.add(dogs, [{ id: 2 }]);
    expect(trailing.take()).toEqual([
      `WITH t0 AS (${cats('$1')}) ${dogs('$2')}`,
      ['[{"id":1}]', '[{"id":2}]'],
    ]);
  });

  it('keeps a row as it was when it was added', () => {
    const trailing = new TrailingRows();
    const row = { id: 1 };
    trailing.add(cats, [row]);
    row.id = 2;
    expect(trailing.take()![1]).toEqual(['[{"id":1}]']);
  });

  it('writes nothing twice, and nothing that was forgotten', () => {
    const trailing = new TrailingRows();
    trailing.add(cats, [{ id: 1 }]);
    trailing.take();
    expect(trailing.take()).toBeNull();
    trailing.add(cats, [{ id: 1 }]);
    trailing.forget();
    expect(trailing.take()).toBeNull();
  });
});
