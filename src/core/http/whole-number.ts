import { Transform } from 'class-transformer';

/** Reads a query parameter as a number where it is written in digits: `0x10`, `1e1` and ` 5` stay text, which `@IsInt()` refuses. */
export function WholeNumber(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value,
  );
}
