const MAX_LENGTH = 100;

/** A slug for a name: `Übersicht: täglich` becomes `ubersicht-taglich`. Empty where nothing of the name can be kept. */
export function proposedSlug(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '');
}

/** What is wrong with a slug by itself, or null. Whether it is free is another question. */
export function slugProblem(slug: string): string | null {
  if (slug === '') return 'Give it a slug: lower-case letters, digits and dashes.';
  if (slug.length > MAX_LENGTH) return `At most ${MAX_LENGTH} characters.`;
  if (!/^[a-z0-9][a-z0-9-]*$/.test(slug)) {
    return 'Lower-case letters, digits and dashes, beginning with a letter or digit.';
  }
  return null;
}
