import type { Type } from '@nestjs/common';
import { PartialType, PickType } from '@nestjs/swagger';

/** Fields of an input that can be changed later. Left out is fine; what is given is checked, null included. */
export function PatchOf<Input, Field extends keyof Input>(
  input: Type<Input>,
  fields: readonly Field[],
): Type<Partial<Pick<Input, Field>>> {
  return PartialType(PickType(input, fields), { skipNullProperties: false });
}
