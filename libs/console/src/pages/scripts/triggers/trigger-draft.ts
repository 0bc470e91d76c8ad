import type { Trigger } from '@gatehouse/client/operations';

import { inputOfText, textOfInput, textOfValue, valueOfText } from './template-text.js';

export interface FilterRow {
  id: number;
  path: string;
  value: string;
}

/** A trigger as it is filled in: everything as text. */
export interface TriggerDraft {
  name: string;
  environment: string;
  eventType: string;
  filter: FilterRow[];
  inputs: Record<string, string>;
}

export interface TriggerFields {
  name: string;
  environment: string;
  filter: Record<string, unknown>;
  inputs: Record<string, unknown>;
}

type Schema = Record<string, unknown> | null;

export const EMPTY_DRAFT: TriggerDraft = { name: '', environment: '', eventType: '', filter: [], inputs: {} };

export function draftOf({ name, environment, eventType, filter, inputs }: Trigger): TriggerDraft {
  return {
    name,
    environment,
    eventType,
    filter: Object.entries(filter).map(([path, value], id) => ({ id, path, value: textOfValue(value) })),
    inputs: Object.fromEntries(Object.entries(inputs).map(([key, value]) => [key, textOfInput(value)])),
  };
}

/** What is sent: rows without a path and inputs without a text are left out. */
export function fieldsOf(
  { name, environment, filter, inputs }: Omit<TriggerDraft, 'eventType'>,
  schema: Schema,
): TriggerFields {
  const rows = filter.filter(({ path }) => path.trim() !== '');
  const filled = Object.entries(inputs)
    .map(([key, text]) => [key, inputOfText(text, typeOf(schema, key))] as const)
    .filter(([, value]) => value !== undefined);
  return {
    name,
    environment,
    filter: Object.fromEntries(rows.map(({ path, value }) => [path.trim(), valueOfText(value)])),
    inputs: Object.fromEntries(filled),
  };
}

/** The inputs that can be filled in: those of the schema, and those that the trigger has already. */
export function inputNames(schema: Schema, inputs: Record<string, string>): string[] {
  const properties = Object.keys((schema?.['properties'] as object | undefined) ?? {});
  return [...new Set([...properties, ...Object.keys(inputs)])];
}

export function propertyOf(schema: Schema, name: string): Record<string, unknown> {
  const properties = (schema?.['properties'] ?? {}) as Record<string, unknown>;
  const property = properties[name];
  return typeof property === 'object' && property !== null ? (property as Record<string, unknown>) : {};
}

function typeOf(schema: Schema, name: string): unknown {
  return propertyOf(schema, name)['type'];
}
