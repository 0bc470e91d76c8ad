import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

/** What a class does for others. One who does something, such as a dispatcher or collector, says so by its ending. */
const ROLE =
  /(?:Service|Repository|Strategy|Action|Middleware|Guard|Pipe|Checks?|Metrics|Cache|Factory|Registry|Store|Queues?|Client|stream|er|or)$/i;

const injectables = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
  .flatMap((path) =>
    [...readFileSync(join('src', path), 'utf8').matchAll(/^@Injectable\([^)]*\)\s+export class (\w+)/gm)].map(
      ([, name]) => ({ name: name!, path }),
    ),
  );

const glossary = new Set(
  [...readFileSync('docs/glossary.md', 'utf8').matchAll(/^\| ([a-z][\w ,-]*?) *\|/gm)].flatMap(([, words]) =>
    words!.split(', '),
  ),
);

/** `LeaseClock` → `lease clock`, `clock`; also in the singular. */
function nounsOf(name: string): string[] {
  const words = name.match(/[A-Z][a-z]+|[A-Z]+(?![a-z])/g)!.map((word) => word.toLowerCase());
  const ends = words.map((_, at) => words.slice(at).join(' '));
  return ends.flatMap((end) => [
    end,
    end.replace(/ies$/, 'y'),
    end.replace(/es$/, ''),
    end.replace(/s$/, ''),
  ]);
}

describe('what is injected', () => {
  it('says its role, or is a noun of the glossary', () => {
    expect(injectables.length).toBeGreaterThan(300);
    const riddles = injectables
      .filter(({ name }) => !ROLE.test(name) && !nounsOf(name).some((noun) => glossary.has(noun)))
      .map(({ name, path }) => `${name} of src/${path}`);
    expect(riddles).toEqual([]);
  });
});
