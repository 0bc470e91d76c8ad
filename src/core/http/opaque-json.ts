import 'reflect-metadata';

import { applyDecorators } from '@nestjs/common';
import { IsObject } from 'class-validator';

const OPAQUE = 'gatehouse:opaque-json';
const LARGE = 'gatehouse:large-json';

interface OpaqueJsonOptions {
  /** It may be large, and is a `RawJson` then. A large field of any other kind is refused. */
  mayBeLarge?: boolean;
}

/**
 * Marks a field of a DTO whose value is the user's own JSON, kept exactly as sent. Turned into a class like other
 * fields, it would lose members named as those of every object (`constructor`, `toString`), or fail on them.
 *
 * @example
 * \@OpaqueJson()
 * \@IsObject()
 * inputs: Record<string, unknown>;
 */
export function OpaqueJson({ mayBeLarge = false }: OpaqueJsonOptions = {}): PropertyDecorator {
  return (prototype, property) => {
    Reflect.defineMetadata(OPAQUE, [...opaqueFields(prototype), String(property)], prototype);
    if (mayBeLarge) Reflect.defineMetadata(LARGE, true, prototype, property);
  };
}

/** A field whose value is a JSON object of the user's own. */
export const JsonObject = (): PropertyDecorator =>
  applyDecorators(OpaqueJson(), IsObject({ message: 'must be an object' }));

export function mayBeLarge(prototype: object, field: string): boolean {
  return Reflect.getMetadata(LARGE, prototype, field) === true;
}

export function opaqueFields(prototype: object): readonly string[] {
  return (Reflect.getMetadata(OPAQUE, prototype) as string[] | undefined) ?? [];
}
