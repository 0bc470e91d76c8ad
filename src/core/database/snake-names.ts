import { DefaultNamingStrategy, Table } from 'typeorm';

/** Names in the database: `startedAt` is `started_at`, and keys are called as PostgreSQL itself would call them. */
export class SnakeNames extends DefaultNamingStrategy {
  override columnName(property: string, custom: string | undefined, prefixes: string[]): string {
    return custom ?? snakeCase([...prefixes, property].join('_'));
  }

  override primaryKeyName(table: Table | string): string {
    return `${nameOf(table)}_pkey`;
  }

  override foreignKeyName(table: Table | string, columns: string[]): string {
    return `${nameOf(table)}_${columns.join('_')}_fkey`;
  }
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function nameOf(table: Table | string): string {
  return table instanceof Table ? table.name : table;
}
