import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';

import { Conflict } from '../core/errors/index.js';
import { IfGiven } from '../core/http/index.js';

/** What is counted is kept as a 32-bit integer. */
const MOST = 2_147_483_647;

export const EXPECTED_VERSION_SCHEMA = { type: 'integer', minimum: 0, maximum: MOST } as const;

/** A field that says which state of the script a change was made for. */
export function ExpectedVersion(): PropertyDecorator {
  const decorators = [ApiPropertyOptional(EXPECTED_VERSION_SCHEMA), Max(MOST), Min(0), IsInt(), IfGiven()];
  return (target, property) => decorators.forEach((decorate) => decorate(target, property!));
}

/** The script is locked: nobody else changes it between the look and the change. */
interface ExpectingScript {
  publishedVersion: number | null;
  lastVersion: number;
  revision: number;
}

/** What `expectedVersion` is compared with, and how the difference is told. */
const COMPARED = {
  published: ({ publishedVersion }: ExpectingScript) =>
    [
      publishedVersion ?? 0,
      publishedVersion === null ? 'no version is published' : `version ${publishedVersion} is published`,
    ] as const,
  newest: ({ lastVersion }: ExpectingScript) =>
    [
      lastVersion,
      lastVersion === 0 ? 'there is no version yet' : `version ${lastVersion} is the newest`,
    ] as const,
  revision: ({ revision }: ExpectingScript) => [revision, `the script is at revision ${revision}`] as const,
};

/** @throws Conflict where somebody else has changed meanwhile what is to be changed */
export function assertExpected(
  expected: number | undefined,
  what: keyof typeof COMPARED,
  script: ExpectingScript,
): void {
  if (expected === undefined) return;
  const [actual, words] = COMPARED[what](script);
  if (actual === expected) return;
  throw new Conflict(`This was made for another state of the script: meanwhile ${words}.`, [
    { path: 'expectedVersion', message: `is ${expected}, but ${words}` },
  ]);
}
