import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';

import { zipSync } from 'fflate';

const PACKAGE = 'gatehouse_client';
const REQUIRED = ['httpx>=0.27,<1', 'httpx-sse>=0.4,<1'];
const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
/** The earliest that a zip file knows: the same bytes whenever it is made. */
const MODIFIED = new Date(1980, 0, 1);

/**
 * The Python client as a wheel (PEP 427): the package, and what pip asks about it.
 * @param {{ version: string, license: string }} of the program, whose version it has
 * @returns {{ name: string, bytes: Uint8Array }}
 */
export function makeWheel({ version, license }) {
  const about = `gatehouse_client-${version}.dist-info`;
  const files = {
    ...Object.fromEntries(sources().map((path) => [path, read(path)])),
    [`${about}/METADATA`]: [
      'Metadata-Version: 2.1',
      'Name: gatehouse-client',
      `Version: ${version}`,
      'Summary: The client of Gatehouse for Python.',
      `License: ${license}`,
      'Requires-Python: >=3.11',
      ...REQUIRED.map((name) => `Requires-Dist: ${name}`),
      'Description-Content-Type: text/markdown',
      '',
      read('README.md'),
    ].join('\n'),
    [`${about}/WHEEL`]:
      'Wheel-Version: 1.0\nGenerator: gatehouse\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
  };
  const rows = Object.entries(files).map(
    ([path, text]) => `${path},${digestOf(text)},${Buffer.byteLength(text)}`,
  );
  files[`${about}/RECORD`] = `${rows.join('\n')}\n${about}/RECORD,,\n`;
  const bytes = zipSync(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])),
    { mtime: MODIFIED },
  );
  return { name: `gatehouse_client-${version}-py3-none-any.whl`, bytes };
}

function sources() {
  const names = readdirSync(new URL(PACKAGE, import.meta.url), { recursive: true });
  return names
    .filter((name) => /\.(py|typed)$/.test(name))
    .sort()
    .map((name) => `${PACKAGE}/${name}`);
}

const digestOf = (text) => `sha256=${createHash('sha256').update(text).digest('base64url')}`;
