import { createHash } from 'node:crypto';

/** What language models take as a name, and with them the clients of the Model Context Protocol. */
const LONGEST = 64;
const DIGEST = 8;
const START = LONGEST - DIGEST - 1;
const CUT_NAME = new RegExp(`^([a-z0-9-]{${START}})_([0-9a-f]{${DIGEST}})$`);

/** The name under which a model knows a script: its slug, or as much of it as fits with a digest of the whole. */
export function nameForModel(slug: string): string {
  if (slug.length <= LONGEST) return slug;
  const digest = createHash('sha256').update(slug).digest('hex').slice(0, DIGEST);
  return `${slug.slice(0, START)}_${digest}`;
}

/** The start of the slug and of its digest in hex (SHA-256), where a name is cut; null where it is whole. */
export function partsOfCutName(name: string): { start: string; digest: string } | null {
  const [, start, digest] = CUT_NAME.exec(name) ?? [];
  return start !== undefined && digest !== undefined ? { start, digest } : null;
}
