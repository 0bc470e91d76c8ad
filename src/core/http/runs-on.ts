import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray } from 'class-validator';

import { MOST_WORKER_TAGS, WORKER_TAG, WORKER_TAG_RULE } from '../config/index.js';
import { InvalidRequest } from '../errors/index.js';
import { IfGiven } from './if-given.js';

const FORM = {
  type: 'array',
  items: { type: 'string', pattern: WORKER_TAG.source },
  maxItems: MOST_WORKER_TAGS,
  required: false,
} as const;

/** A field of a body: the tags that a worker must carry, which `parseRunsOn` checks one by one. */
export function RunsOn(options: { default?: [] } = {}): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ ...FORM, ...options }),
    IfGiven(),
    IsArray(),
    ArrayMaxSize(MOST_WORKER_TAGS),
  );
}

/**
 * Tags as sent; one that is given twice is kept once.
 *
 * @throws InvalidRequest naming each wrong one, such as `runsOn.2`
 */
export function parseRunsOn(tags: readonly unknown[]): string[] {
  const details = tags.flatMap((tag, index) =>
    typeof tag === 'string' && WORKER_TAG.test(tag)
      ? []
      : [{ path: `runsOn.${index}`, message: WORKER_TAG_RULE }],
  );
  if (details.length > 0) throw InvalidRequest.listing(details);
  return [...new Set(tags as readonly string[])];
}
