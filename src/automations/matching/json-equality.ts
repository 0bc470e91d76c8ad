/** Whether two JSON values say the same: fields in any order, lists in theirs, nothing converted. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && sameJson(fieldOf(one, name), fieldOf(other, name)))
  );
}

function fieldOf(value: object, name: string): unknown {
  return (value as Record<string, unknown>)[name];
}
