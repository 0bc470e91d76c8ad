const LONGEST = 50;

/** A slug for a workspace of this name: `Ana & Söhne GmbH` → `ana-sohne-gmbh`. Empty where no letter can be kept. */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, LONGEST)
    .replace(/-$/, '');
}
