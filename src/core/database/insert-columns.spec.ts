import { Column, Entity, PrimaryColumn } from 'typeorm';
import { describe, expect, it } from 'vitest';

import { insertColumns } from './insert-columns.js';

@Entity('things')
class Thing {
  @PrimaryColumn('text')
  id!: string;

  @Column('timestamptz')
  startedAt!: Date;

  @Column('text', { array: true })
  tags!: string[];

  @Column('jsonb')
  labels!: object;
}

describe('insertColumns', () => {
  const columns = insertColumns(Thing, 'id', 'startedAt', 'tags');

  it('says the columns of a table and their values in the same order', () => {
    expect(columns.columns).toBe('id, started_at, tags');
    expect(columns.parameters).toBe(':id, :startedAt, :tags');
    expect(insertColumns(Thing, 'id', 'labels').parameters).toBe(':id, :labels::jsonb');
    expect(columns.given).toBe('given."id", given."startedAt", given."tags"');
  });

  it('reads rows of a JSON array by the types of the columns', () => {
    expect(columns.recordset(':things', '"eventId" text')).toBe(
      'json_to_recordset(:things::json) AS given("id" text, "startedAt" timestamptz, "tags" text[], "eventId" text)',
    );
  });

  it('refuses a property that is no column', () => {
    expect(() => insertColumns(Thing, 'title' as 'id')).toThrow('Thing.title is not a column.');
  });
});
