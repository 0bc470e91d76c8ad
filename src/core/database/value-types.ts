import pg from 'pg';
import type { CustomTypesConfig } from 'pg';

/** How the text of a column becomes a value, on our own connections. */
export const VALUE_TYPES: CustomTypesConfig = {
  // Counts and sizes are far below 2^53; as numbers they need no conversion at every place of use.
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === (pg.types.builtins.INT8 as number) && format !== 'binary'
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as CustomTypesConfig['getTypeParser'],
};
