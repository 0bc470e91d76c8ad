import { type FindOperator, Raw } from 'typeorm';

/** Conditions on a moment by the clock of the database, which all processes share. */
export function isPast(): FindOperator<Date> {
  return Raw((column) => `${column} <= now()`) as FindOperator<Date>;
}

export function isAhead(): FindOperator<Date> {
  return Raw((column) => `${column} > now()`) as FindOperator<Date>;
}

/** Not longer ago than so many seconds. */
export function withinSeconds(seconds: number): FindOperator<Date> {
  return Raw((column) => `${column} > now() - interval '${Number(seconds)} seconds'`) as FindOperator<Date>;
}

/** A value for a column: so many seconds from now. */
export function inSeconds(seconds: number): () => string {
  return () => `now() + interval '${Number(seconds)} seconds'`;
}

/** A value for a column: now. */
export const NOW = (): string => 'now()';
