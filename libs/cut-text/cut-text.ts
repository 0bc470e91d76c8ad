/**
 * A text of at most so many characters (code points), none of them cut in two.
 *
 * @param end stands at the end of a text that was cut, and counts; none by default
 */
export function cutText(text: string, most: number, end = ''): string {
  if (text.length <= most) return text;
  // A character has at most two units, so no more of a long text is looked at.
  const characters = [...text.slice(0, 2 * most)];
  if (text.length <= 2 * most && characters.length <= most) return text;
  return characters.slice(0, Math.max(0, most - end.length)).join('') + end;
}
