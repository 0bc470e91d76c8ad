import { ValidateIf } from 'class-validator';

/** Left out is fine; what is given is checked. Unlike with `@IsOptional()`, null is given, and most checks refuse it. */
export function IfGiven(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}
