import { InvalidRequest } from '../core/errors/index.js';

/** `slug`: that of the last script of a page. Scripts that come or go meanwhile neither repeat nor hide another. */
export function cursorAfter(slug: string): string {
  return Buffer.from(`tools.${slug}`).toString('base64url');
}

/** @throws InvalidRequest where `cursorAfter` has not made it */
export function slugOfCursor(cursor: string): string {
  const slug = /^tools\.([a-z0-9-]{1,100})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1];
  if (slug !== undefined && cursorAfter(slug) === cursor) return slug;
  throw InvalidRequest.at(
    'cursor',
    'is not a cursor. Pass the `nextCursor` of the previous page as it was given.',
  );
}
