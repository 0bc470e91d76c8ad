import type { Type } from '@nestjs/common';

import { InvalidRequest, NotFound } from '../core/errors/index.js';
import { StrictValidationPipe } from '../core/http/index.js';

const pipe = new StrictValidationPipe();

/**
 * The input as a route takes it that does the same, so that an action is as strict as the route.
 *
 * @throws InvalidRequest with paths that begin at the input
 */
export function asBody<T extends object>(type: Type<T>, input: object): Promise<T> {
  return pipe.transform(input, { type: 'body', metatype: type }) as Promise<T>;
}

/**
 * What the input names, as far as the asker can see it.
 *
 * @throws InvalidRequest at `path` where it is not there
 */
export async function named<T>(path: string, look: Promise<T>): Promise<T> {
  try {
    return await look;
  } catch (error) {
    if (error instanceof NotFound) throw InvalidRequest.at(path, error.message);
    throw error;
  }
}

/** An `inputSchema`, of the schemas of its fields: a closed object that has to have the first of them. */
export function inputOf(required: Record<string, object>, optional: Record<string, object> = {}) {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  };
}
