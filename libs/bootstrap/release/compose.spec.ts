import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, it } from 'vitest';
import { parse } from 'yaml';

const { composeOfRelease } = (await import(
  pathToFileURL(join('libs', 'bootstrap', 'release', 'compose.mjs')).href
)) as { composeOfRelease(text: string, version: string): string };

interface Compose {
  services: Record<string, { image: string; build?: string }>;
}

it('builds nothing in the folder of a release, and names its image', () => {
  const ours = readFileSync('compose.yaml', 'utf8');
  const released = composeOfRelease(ours, '1.2.3');
  expect(released).not.toContain('build');
  const expected = parse(ours.replaceAll(':-gatehouse}', ':-gatehouse:1.2.3}'), { merge: true }) as Compose;
  expect(expected.services['api']).toMatchObject({
    build: '.',
    image: '${GATEHOUSE_IMAGE:-gatehouse:1.2.3}',
  });
  delete expected.services['api']!.build;
  expect(parse(released, { merge: true })).toEqual(expected);
  expect(() => composeOfRelease(released, '1.2.3')).toThrow('compose.yaml has an image');
});
