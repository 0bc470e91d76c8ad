import { Injectable, type PipeTransform } from '@nestjs/common';

import { NotFound } from '../../core/errors/index.js';

/** The most that its column holds. */
const MOST_VERSIONS = 2_147_483_647;

/** How a path's version number is described. */
export const VERSION_NUMBER = {
  name: 'number',
  schema: { type: 'integer', minimum: 1, maximum: MOST_VERSIONS },
} as const;

/** Reads a path's version number; what is none names no version. */
@Injectable()
export class VersionNumberPipe implements PipeTransform<string, number> {
  /** @throws NotFound */
  transform(text: string): number {
    const number = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
    if (number === 0 || number > MOST_VERSIONS) throw new NotFound('version');
    return number;
  }
}
