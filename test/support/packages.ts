import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const FOLDER = join('dist', 'packages');

/** Time-out of what packs, installs what was packed, or waits for others that do, on a busy machine. */
export const PACKING_MS = 600_000;

export interface PackedFile {
  path: string;
  name: string;
  sha256: string;
  npm: { manifest: { name: string; version: string }; integrity: string } | null;
}

/** Makes the packages that every service here then serves, unless they are there: one process at a time. */
export async function pack(): Promise<PackedFile[]> {
  const make = [process.execPath, join('libs', 'bootstrap', 'pack.mjs')];
  await promisify(execFile)('flock', [join('dist', '.packing'), ...make]);
  const { files } = JSON.parse(await readFile(join(FOLDER, 'index.json'), 'utf8')) as { files: PackedFile[] };
  return files.map((file) => ({ ...file, path: join(FOLDER, file.name) }));
}

/** For an extension's own test: the Node that its Gatehouse runs on, which is that of the tests, and not the machine's. */
export const ownNode = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };

/** For npm: ours from the service, and all others from nowhere. */
export const onlyFrom = (service: string): string[] => [
  `--@gatehouse:registry=${service}/packages/npm`,
  ...['--registry=http://127.0.0.1:9', '--fetch-retries=0', '--no-audit', '--no-fund'],
];
