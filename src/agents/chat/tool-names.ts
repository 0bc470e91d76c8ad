import { createHash } from 'node:crypto';

/** What language models take as a name. */
const LONGEST = 64;
const DIGEST = 8;

/** The name under which a model knows a tool: its own, or as much of it as fits with a digest of the whole. */
export function nameForModel(name: string): string {
  if (name.length <= LONGEST) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, DIGEST);
  return `${name.slice(0, LONGEST - DIGEST - 1)}_${digest}`;
}
