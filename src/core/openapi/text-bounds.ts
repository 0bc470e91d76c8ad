import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

import type { ApiRoute } from './open-api-route-describer.js';
import { type ApiDocument, isReference, type Parameter, type Schema } from './document.js';

const CONTROL = String.raw`\u0000-\u001f\u007f-\u009f\u2028\u2029`;
const CONTROL_BUT_BREAKS = String.raw`\u0000-\u0008\u000b-\u001f\u007f-\u009f`;

/** No text that is sent may hold a NUL character. */
const ANY = String.raw`^[^\u0000]*$`;
/** As the validators of these names want it: without control characters, and empty (where its length allows) or with something to see. */
const PATTERNS: Record<string, string> = {
  isLine: somethingToSee(CONTROL),
  isText: somethingToSee(CONTROL_BUT_BREAKS),
};

function somethingToSee(excluded: string): string {
  return String.raw`^(?:[^${excluded}]*[^${excluded}\s\ufeff][^${excluded}]*)?$`;
}

/** Says of the texts of requests which characters they may hold, and of parameters that they are not empty. */
export function boundTexts(document: ApiDocument, routes: readonly ApiRoute[]): void {
  for (const { method, path, requestTypes } of routes) {
    for (const parameter of document.paths[path]?.[method]?.parameters ?? []) {
      if (!isReference(parameter) && parameter.in !== 'header') boundParameter(parameter);
    }
    for (const type of requestTypes) boundFields(document.components.schemas[type.name], type);
  }
}

function boundParameter({ schema }: Parameter): void {
  if (schema?.type !== 'string' || schema['enum'] !== undefined) return;
  schema['minLength'] = Math.max(1, Number(schema['minLength'] ?? 0));
  bound(schema, ANY);
}

function boundFields(schema: Schema | undefined, type: Type): void {
  const named = new Map(
    getMetadataStorage()
      .getTargetValidationMetadatas(type, '', false, false)
      .flatMap(({ name, propertyName }) =>
        name && name in PATTERNS ? [[propertyName, PATTERNS[name]!]] : [],
      ),
  );
  for (const [name, property] of Object.entries(schema?.properties ?? {})) {
    bound(property, named.get(name) ?? ANY);
    if (property.items) bound(property.items, ANY);
  }
}

function bound(schema: Schema, pattern: string): void {
  const described =
    schema['enum'] !== undefined || schema['pattern'] !== undefined || schema.format !== undefined;
  if ([schema.type].flat().includes('string') && !described) schema['pattern'] = pattern;
}
