import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

import { getMetadataArgsStorage } from 'typeorm';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

import { snakeCase } from './snake-names.js';

const SQL = /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM)\b/;
const SOURCE = join(import.meta.dirname, '..', '..');

/** Statements that are written in SQL name only columns that an entity has, and write tables where they belong. */
describe('named SQL', async () => {
  const tables = await tablesOfEntities();

  it('knows the tables', () => {
    expect(tables.get('runs')).toContain('started_by_user_id');
  });

  it('sees a column that is not there', () => {
    expect(strayColumns('SELECT r.id, r.nothing FROM runs r', tables)).toEqual(['runs.nothing']);
    expect(strayColumns('INSERT INTO runs (id, nothing) VALUES ($1, $2)', tables)).toEqual(['runs.nothing']);
    expect(strayColumns('UPDATE runs SET phase = $1, nothing = now() WHERE id = $2', tables)).toEqual([
      'runs.nothing',
    ]);
  });

  it('names only columns of entities', () => {
    const stray = sourceFiles().flatMap((file) =>
      sqlTexts(file).flatMap((sql) =>
        strayColumns(sql, tables).map((column) => `${relative(SOURCE, file)}: ${column}`),
      ),
    );
    expect(stray).toEqual([]);
  }, 30_000);

  it('writes a table where its entity is', () => {
    const owners = new Map(entityFiles().map((file) => [tableOf(file), ownerOf(file)]));
    expect(owners.get('runs')).toBe('runs');
    const foreign = sourceFiles().flatMap((file) =>
      sqlTexts(file)
        .flatMap((sql) => [...sql.matchAll(/\b(?:INSERT INTO|UPDATE|DELETE FROM) ([a-z_]+)/g)])
        .map(([, table]) => table!)
        .filter((table) => owners.has(table) && owners.get(table) !== ownerOf(file))
        .map((table) => `${relative(SOURCE, file)}: ${table}`),
    );
    expect(foreign).toEqual([]);
  }, 30_000);
});

type Tables = Map<string, Set<string>>;

function entityFiles(): string[] {
  return filesEndingWith('.entity.ts');
}

function tableOf(entityFile: string): string {
  return /@Entity\('(\w+)'\)/.exec(readFileSync(entityFile, 'utf8'))![1]!;
}

/** The domain, or the room of core. */
function ownerOf(file: string): string {
  const [domain, room] = relative(SOURCE, file).split(sep);
  return domain === 'core' ? `core/${room}` : domain!;
}

async function tablesOfEntities(): Promise<Tables> {
  for (const file of entityFiles()) await import(file);
  const { tables, columns } = getMetadataArgsStorage();
  return new Map(
    tables.map(({ name, target }) => [
      name!,
      new Set(
        columns
          .filter((column) => column.target === target)
          .map(({ propertyName, options }) => options.name ?? snakeCase(propertyName)),
      ),
    ]),
  );
}

function filesEndingWith(ending: string): string[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => join(SOURCE, file));
}

function sourceFiles(): string[] {
  return filesEndingWith('.ts').filter((file) => !file.endsWith('.spec.ts') && !file.includes('migrations'));
}

/** Every text of the file that is SQL. What is put into a template counts as one unknown word. */
function sqlTexts(file: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) texts.push(node.text);
    else if (ts.isTemplateExpression(node)) {
      texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(' ? '));
    }
    ts.forEachChild(node, visit);
  };
  const source = readFileSync(file, 'utf8');
  if (SQL.test(source)) visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest));
  return texts.filter((text) => SQL.test(text));
}

function strayColumns(text: string, tables: Tables): string[] {
  const sql = text.replace(/--.*$/gm, '').replace(/'[^']*'/g, "''");
  return [...qualifiedColumns(sql, tables), ...insertedColumns(sql), ...updatedColumns(sql)]
    .filter(([table, column]) => tables.get(table)?.has(column) === false)
    .map(([table, column]) => `${table}.${column}`);
}

type TableColumn = [table: string, column: string];

/** `r.id` where `r` stands for one table and nothing else. */
function qualifiedColumns(sql: string, tables: Tables): TableColumn[] {
  const derived = new Set(
    [...sql.matchAll(/\b([a-z_]+)(?: \([^()]*\))? AS (?:MATERIALIZED )?\(|\) (?:AS )?([a-z_]+)\b/g)].flatMap(
      ([, cte, query]) => [cte, query],
    ),
  );
  const aliases = new Map<string, Set<string>>();
  for (const [, before, table, alias] of sql.matchAll(
    /(\bFROM|\bJOIN|\bINTO|\bUPDATE|\bUSING|,)\s+([a-z_]+)(?:\s+(?:AS\s+)?([a-z][a-z_0-9]*))?\b/g,
  )) {
    const name = alias ?? table!;
    if (tables.has(table!)) aliases.set(name, (aliases.get(name) ?? new Set()).add(table!));
    else if (before !== ',') derived.add(name);
  }
  return [...sql.matchAll(/\b([a-z][a-z_0-9]*)\.([a-z_0-9]+)\b/g)].flatMap(
    ([, alias, column]): TableColumn[] => {
      const meant = aliases.get(alias!);
      return meant?.size === 1 && !derived.has(alias!) ? [[[...meant][0]!, column!]] : [];
    },
  );
}

function insertedColumns(sql: string): TableColumn[] {
  return [...sql.matchAll(/INSERT INTO ([a-z_]+)(?: AS [a-z]+)? \(([^)]*)\)/g)].flatMap(([, table, list]) =>
    list!
      .split(',')
      .map((column) => column.trim())
      .filter((column) => /^[a-z_0-9]+$/.test(column))
      .map((column): TableColumn => [table!, column]),
  );
}

function updatedColumns(sql: string): TableColumn[] {
  return [
    ...sql.matchAll(
      /\bUPDATE ([a-z_]+)(?: (?:AS )?[a-z]+)?\s+SET\s+([\s\S]*?)(?=\bWHERE\b|\bFROM\b|\bRETURNING\b|$)/g,
    ),
  ].flatMap(([, table, list]) =>
    withoutBrackets(list!)
      .split(',')
      .map((assignment) => /^\s*([a-z_0-9]+)\s*=/.exec(assignment)?.[1])
      .filter((column) => column !== undefined)
      .map((column): TableColumn => [table!, column]),
  );
}

function withoutBrackets(sql: string): string {
  const inner = /\([^()]*\)/g;
  let text = sql;
  while (inner.test(text)) text = text.replace(inner, '');
  return text;
}
