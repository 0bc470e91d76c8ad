import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { Settings } from './settings.js';

const lines = readFileSync(join(import.meta.dirname, '../../../.env.example'), 'utf8').split('\n');

/** Each variable with its value. */
const listed = new Map(
  lines.flatMap((line) => {
    const match = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line);
    return match ? [[match[1]!, match[2]!] as const] : [];
  }),
);

/** The names that are looked up when settings are read. */
function namesRead(values: Record<string, string>): string[] {
  const names = new Set<string>();
  const environment = new Proxy(values, {
    get: (target, name) => {
      names.add(String(name));
      return target[String(name)];
    },
  });
  new Settings(environment);
  return [...names].sort();
}

describe('.env.example', () => {
  it('lists every setting, and nothing that is not read', () => {
    expect([...listed.keys()].sort()).toEqual(namesRead({}));
  });

  it('says of every setting what it is', () => {
    for (const name of listed.keys()) {
      const group = lines
        .slice(
          0,
          lines.findIndex((line) => line.startsWith(`${name}=`)),
        )
        .join('\n')
        .split('\n\n')
        .at(-1)!;
      expect(group, name).toMatch(/^# \S+ \S+/);
      expect(group, name).not.toMatch(/^# ---/m);
    }
  });

  it('gives the defaults: taken as it stands, it changes nothing', () => {
    expect(new Settings(Object.fromEntries(listed))).toEqual(new Settings({}));
  });
});
