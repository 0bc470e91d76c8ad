/** A strong entity tag. `text` is made by us: hexadecimal or the like. */
export function entityTag(text: string): string {
  return `"${text}"`;
}

/** Whether a range still fits what the client has (RFC 9110, 13.1.5): strong comparison; a date never fits. */
export function rangeApplies(ifRange: string | null, tag: string): boolean {
  return ifRange === null || ifRange.trim() === tag;
}
