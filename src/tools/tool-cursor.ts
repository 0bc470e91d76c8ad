import { InvalidRequest } from '../core/errors/index.js';

interface ToolPlace {
  /** That of the last script of a page. Scripts that come or go meanwhile neither repeat nor hide another. */
  slug: string;
  /** How many tools of scripts there were up to there. */
  listed: number;
}

export function cursorAfter({ slug, listed }: ToolPlace): string {
  return Buffer.from(`tools.${listed}.${slug}`).toString('base64url');
}

/** @throws InvalidRequest where `cursorAfter` has not made it */
export function placeOfCursor(cursor: string): ToolPlace {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, listed, slug] = /^tools\.([1-9]\d{0,5})\.([a-z0-9-]{1,100})$/.exec(text) ?? [];
  if (slug !== undefined) {
    const place = { slug, listed: Number(listed) };
    if (cursorAfter(place) === cursor) return place;
  }
  throw InvalidRequest.at(
    'cursor',
    'is not a cursor. Pass the `nextCursor` of the previous page as it was given.',
  );
}
