import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';

import { IsTimestamp } from './text.validators.js';

/** A field or parameter with a moment, which may be left out. @param options `nullable`: null is described as well */
export function OptionalTimestamp(options: { nullable?: true } = {}): PropertyDecorator {
  const form = { type: String, format: 'date-time', ...options } as const;
  return applyDecorators(ApiPropertyOptional(form), IsOptional(), IsTimestamp());
}
