/** A strong entity tag. `text` is made by us: hexadecimal or the like. */
export function entityTag(text: string): string {
  return `"${text}"`;
}

/**
 * Whether `If-None-Match` names the tag (RFC 9110, 13.1.2): weak comparison, `*` is any. Express's `request.fresh` says
 * no as soon as a client sends `Cache-Control: no-cache`, which every `fetch` does that names a tag.
 */
export function isKnown(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((known) => known.trim().replace(/^W\//, '') === tag);
}

/** Whether a range still fits what the client has (RFC 9110, 13.1.5): strong comparison; a date never fits. */
export function rangeApplies(ifRange: string | null, tag: string): boolean {
  return ifRange === null || ifRange.trim() === tag;
}
