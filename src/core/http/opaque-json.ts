import 'reflect-metadata';

const OPAQUE = 'gatehouse:opaque-json';

/**
 * Marks a field of a DTO whose value is the user's own JSON: it is kept exactly as sent. Turned into a class like other
 * fields, it would lose members named as those of every object (`constructor`, `toString`) or fail on them.
 *
 * @example
 * \@OpaqueJson()
 * \@IsObject()
 * inputs: Record<string, unknown>;
 */
export function OpaqueJson(): PropertyDecorator {
  return (prototype, property) => {
    Reflect.defineMetadata(OPAQUE, [...opaqueFields(prototype), String(property)], prototype);
  };
}

export function opaqueFields(prototype: object): readonly string[] {
  return (Reflect.getMetadata(OPAQUE, prototype) as string[] | undefined) ?? [];
}
