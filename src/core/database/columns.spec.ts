import { Column, Entity, PrimaryColumn } from 'typeorm';
import { describe, expect, it } from 'vitest';

import { columns, type RowOf } from './columns.js';

@Entity('things')
class Thing {
  @PrimaryColumn('text')
  id!: string;

  @Column('timestamptz')
  startedAt!: Date;

  computed!: number;
}

describe('columns', () => {
  it('names columns after the properties of the entity', () => {
    const selected = columns(Thing, 't', 'id', 'startedAt');
    const row: RowOf<typeof selected> = { id: 'a', startedAt: new Date() };
    expect(selected).toBe('t.id, t.started_at AS "startedAt"');
    expect(Object.keys(row)).toEqual(['id', 'startedAt']);
  });

  it('refuses a property that is no column', () => {
    expect(() => columns(Thing, 't', 'computed')).toThrow('Thing.computed is not a column.');
  });
});
