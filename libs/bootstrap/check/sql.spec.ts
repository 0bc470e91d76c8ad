import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it } from 'vitest';

const { examine } = (await import(pathToFileURL(join('libs', 'bootstrap', 'check', 'sql.mjs')).href)) as {
  examine(
    file: { path: string; text: string; owner: string },
    owners: { tables: Map<string, string>; entities: Map<string, string> },
  ): { problems: string[]; statements: number };
};

const OWNERS = {
  tables: new Map([
    ['runs', 'runs'],
    ['files', 'files'],
  ]),
  entities: new Map([
    ['Run', 'runs'],
    ['StoredFile', 'files'],
  ]),
};
const found = (text: string) => examine({ path: 'runs/runs.repository.ts', text, owner: 'runs' }, OWNERS);

describe('the check of statements', () => {
  it('counts what is carried out', () => {
    expect(found('this.database.query(READ); this.rows.find(); manager.query(WRITE, [])').statements).toBe(2);
  });

  it('lets a folder write its own tables, and read those of others', () => {
    const text = `
      class A { constructor(private readonly runs: Repository<Run>, private readonly files: Repository<StoredFile>) {} }
      const TEXT = \`UPDATE runs SET a = 1 WHERE id IN (SELECT run_id FROM files FOR UPDATE \${LOCK})\`;
      this.runs.createQueryBuilder().update().set({}); this.files.findOneBy({}); this.runs.delete({ id });`;
    expect(found(text).problems).toEqual([]);
  });

  it.each([
    ['UPDATE', 'const A = `UPDATE files SET a = 1`;', 'files'],
    [
      'a repository',
      'class A { constructor(private readonly f: Repository<StoredFile>) { this.f.update({}, {}); } }',
      'StoredFile',
    ],
    [
      'a query builder',
      'class A { f: Repository<StoredFile>; b() { this.f.createQueryBuilder("f").delete().where({}); } }',
      'StoredFile',
    ],
    ['a manager', 'this.rows.manager.insert(StoredFile, {});', 'StoredFile'],
    ['into', 'builder.insert().into(StoredFile).values([]);', 'StoredFile'],
  ])("refuses another's table by %s", (_, text, name) => {
    expect(found(text).problems).toEqual([
      `src/runs/runs.repository.ts writes ${name}, which belongs to files`,
    ]);
  });

  it.each(['INSERT INTO ${TABLE} (a)', 'UPDATE ${TABLE} SET a = 1', 'WITH a AS (DELETE FROM ${TABLE})'])(
    'refuses a table that is not named: %s',
    (sql) => {
      expect(found(`const A = \`${sql}\`;`).problems).toEqual([
        'src/runs/runs.repository.ts writes a table that is not named there',
      ]);
    },
  );
});
