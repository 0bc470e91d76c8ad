import { Transform } from 'class-transformer';

const names = new Set<string>();

/** Whether a parameter of an address may be given several times, somewhere. */
export const isRepeatable = (name: string): boolean => names.has(name);

/**
 * A query parameter that may be given several times: always an array. A route that takes one of the same name without it
 * refuses the array.
 *
 * @example
 * \@Repeatable()
 * \@IsString({ each: true })
 * label?: string[];
 */
export function Repeatable(): PropertyDecorator {
  return (prototype, property) => {
    names.add(String(property));
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? [value] : value))(
      prototype,
      property,
    );
  };
}
