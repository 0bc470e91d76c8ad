/** The settings after a patch, in which a field that is undefined is left as it is. */
export function patched<Settings extends object>(
  fields: readonly (keyof Settings)[],
  before: Settings,
  patch: Partial<Settings>,
): Settings {
  const after = fields.map((field) => [field, patch[field] === undefined ? before[field] : patch[field]]);
  return Object.fromEntries(after) as Settings;
}

/** Which of the fields differ, in their order. Lists and objects are compared by what they contain, as JSON. */
export function changedFields<Settings extends object, Field extends keyof Settings>(
  fields: readonly Field[],
  before: Settings,
  after: Settings,
): Field[] {
  return fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
}
