import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

import type { ApiRoute } from './api-routes.js';
import { type ApiDocument, isReference, type Operation, operationsOf, type Schema } from './document.js';

const PREFIX = '#/components/schemas/';

/** Says of the fields of a request what its checks demand: whole numbers, and nothing that is not named. */
export function describeRequests(document: ApiDocument, routes: readonly ApiRoute[]): void {
  for (const { method, path, requestTypes } of routes) {
    const operation = document.paths[path]?.[method];
    for (const type of requestTypes) if (operation) markIntegers(document, operation, type);
  }
  for (const operation of operationsOf(document)) markBody(document, operation);
  refuseUnknownFields(document);
}

function markIntegers(document: ApiDocument, operation: Operation, type: Type): void {
  const properties = document.components.schemas[type.name]?.properties ?? {};
  for (const name of integersOf(type)) {
    markInteger(properties[name]);
    for (const parameter of operation.parameters ?? []) {
      if (!isReference(parameter) && parameter.in === 'query' && parameter.name === name)
        markInteger(parameter.schema);
    }
  }
}

/** A body that is missing is as an empty one, whether that is an object without fields or a file without bytes. */
function markBody({ components }: ApiDocument, { requestBody }: Operation): void {
  if (!requestBody) return;
  const mayBeEmpty = Object.entries(requestBody.content).some(([type, { schema }]) => {
    if (type === 'application/octet-stream') return true;
    const found = schema?.$ref === undefined ? schema : components.schemas[schema.$ref.slice(PREFIX.length)];
    return found !== undefined && (found.required ?? []).length === 0;
  });
  if (mayBeEmpty) requestBody['required'] = false;
}

function integersOf(type: Type): string[] {
  return getMetadataStorage()
    .getTargetValidationMetadatas(type, '', false, false)
    .filter(({ name }) => name === 'isInt')
    .map(({ propertyName }) => propertyName);
}

function markInteger(schema: Schema | undefined): void {
  if (schema?.type === 'number') schema.type = 'integer';
  else if (Array.isArray(schema?.type))
    schema.type = schema.type.map((type) => (type === 'number' ? 'integer' : type));
  if (schema?.items) markInteger(schema.items);
}

/** Unknown fields are an error in requests, while responses may gain fields: so only for types that no response has. */
function refuseUnknownFields(document: ApiDocument): void {
  const operations = operationsOf(document);
  const sent = namesIn(
    document,
    operations.map(({ requestBody }) => requestBody),
  );
  const received = namesIn(
    document,
    operations.map(({ responses }) => responses),
  );
  for (const name of sent) {
    const schema = document.components.schemas[name]!;
    if (!received.has(name)) schema.additionalProperties ??= false;
  }
}

/** The schemas that are named somewhere in `part`, directly or by one another. */
function namesIn(document: ApiDocument, part: unknown, names = new Set<string>()): Set<string> {
  if (typeof part !== 'object' || part === null) return names;
  for (const [key, value] of Object.entries(part)) {
    if (key !== '$ref' || typeof value !== 'string' || !value.startsWith(PREFIX)) {
      namesIn(document, value, names);
      continue;
    }
    const name = value.slice(PREFIX.length);
    if (names.has(name)) continue;
    names.add(name);
    namesIn(document, document.components.schemas[name], names);
  }
  return names;
}
