import { type ErrorDetail, InvalidRequest } from '../core/errors/index.js';

export const MAX_TAGS = 10;
export const TAG = /^[a-z0-9-]{1,50}$/;

/**
 * Tags as sent, each checked; one that is given twice is kept once.
 *
 * @throws InvalidRequest naming each wrong one, such as `tags.2`
 */
export function parseTags(tags: readonly unknown[]): string[] {
  const details: ErrorDetail[] = tags.flatMap((tag, index) =>
    typeof tag === 'string' && TAG.test(tag)
      ? []
      : [{ path: `tags.${index}`, message: 'must be lower-case letters, digits and dashes, at most 50' }],
  );
  if (details.length > 0) throw new InvalidRequest(`${details[0]!.path}: ${details[0]!.message}`, details);
  return [...new Set(tags as readonly string[])];
}
