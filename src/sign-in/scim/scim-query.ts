import { IsOptional, IsString, Length } from 'class-validator';

import { type Comparison, parseFilter } from './scim-filter.js';
import { ScimProblem } from './scim-problem.js';

/** Which attributes of a resource are wanted. */
export class ScimResourceQuery {
  @Length(1, 2000)
  @IsString()
  @IsOptional()
  attributes?: string;

  @Length(1, 2000)
  @IsString()
  @IsOptional()
  excludedAttributes?: string;
}

export class ScimListQuery extends ScimResourceQuery {
  @IsString()
  @IsOptional()
  filter?: string;

  @IsString()
  @IsOptional()
  startIndex?: string;

  @IsString()
  @IsOptional()
  count?: string;

  /** Lists are in the order of the ids, whatever is asked for. */
  @IsString()
  @IsOptional()
  sortBy?: string;

  @IsString()
  @IsOptional()
  sortOrder?: string;
}

/** A part of a list. */
export interface ScimPage {
  filter: readonly Comparison[];
  skipped: number;
  count: number;
}

export interface ScimList<Row> {
  rows: Row[];
  total: number;
}

/** So many are in a response. */
export const MOST_RESULTS = 200;
const USUAL_RESULTS = 100;

/** @throws ScimProblem */
export function pageOf({ filter, startIndex, count }: ScimListQuery): ScimPage {
  return {
    filter: filter === undefined ? [] : parseFilter(filter),
    skipped: Math.max(1, numberIn('startIndex', startIndex, 1)) - 1,
    count: Math.min(MOST_RESULTS, Math.max(0, numberIn('count', count, USUAL_RESULTS))),
  };
}

/** Without `id` and `schemas`, a resource would not say what it is. */
export function chosen(resource: object, { attributes, excludedAttributes }: ScimResourceQuery): object {
  const wanted = namesIn(attributes);
  const unwanted = namesIn(excludedAttributes);
  const isKept = (name: string): boolean =>
    name === 'id' || name === 'schemas' || (wanted.size > 0 ? wanted.has(name) : !unwanted.has(name));
  return Object.fromEntries(Object.entries(resource).filter(([name]) => isKept(name.toLowerCase())));
}

/** Whether an attribute is to be looked up at all. */
export function isWanted(name: string, query: ScimResourceQuery): boolean {
  return name in chosen({ [name]: null }, query);
}

function namesIn(list = ''): Set<string> {
  const names = list.split(',').map((name) => name.trim().toLowerCase().split('.')[0]!);
  return new Set(names.filter((name) => name !== ''));
}

function numberIn(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (!/^-?\d{1,9}$/.test(text)) throw ScimProblem.at(name, 'must be a whole number');
  return Number(text);
}
