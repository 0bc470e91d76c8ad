import { hash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { DATA_DIRECTORY, DIGESTS, HOST_FILES, WRITABLE } from '../../../../libs/attacks/index.js';
import { randomText } from '../../../core/crypto/index.js';
import type { ProofBench } from '../proof-bench.js';
import type { Wall } from '../wall.js';

/** As the program that makes the digests reads what it finds. */
const WORD = /[A-Za-z0-9+/_-]{12,}/g;

export const FILE_WALLS: readonly Wall[] = [
  {
    name: 'host-files',
    says: "A script sees none of the machine's files but /usr and its own.",
    cure: 'Nothing of the settings opens them: look for a changed bubblewrap or launcher, and install both anew.',
    quick: true,
    attack: (bench) => bench.findings({ code: HOST_FILES }),
  },
  {
    name: 'read-only',
    says: 'A script writes to /tmp, /outputs and /dev/shm, and nowhere else.',
    cure: 'Nothing of the settings opens them: look for a changed bubblewrap or launcher, and install both anew.',
    quick: true,
    attack: (bench) => bench.findings({ code: WRITABLE }),
  },
  {
    name: 'data-directory',
    says: 'A script reaches nothing of the data directory: keys, files, what other runs are given.',
    cure: 'Have the data directory outside of /usr and of folders that a script is given (GATEHOUSE_DATA), and closed to others: chmod 700.',
    quick: true,
    attack: reachDataDirectory,
  },
  {
    name: 'credentials',
    says: "No key, password or token of the worker's settings is in anything that a script can read.",
    cure: 'Take credentials out of what every user of the machine may read below /usr and in process arguments, and change them.',
    quick: true,
    attack: findCredentials,
  },
];

async function reachDataDirectory(bench: ProofBench): Promise<string[]> {
  const { settings, folder } = bench.parts;
  const { dataDirectory } = settings;
  const canary = `canary-${randomText(16)}`;
  const path = join(folder, canary);
  await writeFile(path, canary, { mode: 0o600 });
  try {
    const own = ['master.key', 'first-run.json', 'files', 'workers', 'boxes', 'postgres'];
    const paths = [dataDirectory, folder, path, ...own.map((name) => join(dataDirectory, name))];
    return await bench.findings({ code: DATA_DIRECTORY, inputs: { paths, names: ['master.key', canary] } });
  } finally {
    await rm(path, { force: true });
  }
}

/** Secrets are never in a box, not even to be looked for: it says digests of what it reads. */
async function findCredentials(bench: ProofBench): Promise<string[]> {
  const seen = new Set(await bench.findings<string[]>({ code: DIGESTS }));
  const words = bench.parts.secrets.flatMap((secret) => secret.match(WORD) ?? []);
  const found = words.filter((word) => seen.has(hash('sha256', word).slice(0, 16)));
  return found.length === 0 ? [] : [`${found.length} of the worker's secrets`];
}
