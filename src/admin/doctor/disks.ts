import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';

import type { Settings } from '../../core/config/index.js';
import { assertWritable, megabytes, roomBelow } from '../../core/disk/index.js';
import { fail, type Finding, ok, warn } from './finding.js';

/** Less than so many times the reserve is said before anything is refused. */
const SOON = 4;
const FEWEST_FILES = 10_000;
const OTHERS = 0o077;

/** Whose the data directory is: a command as another user makes files there that the service cannot read. */
export async function examineDataDirectory({ dataDirectory }: Settings): Promise<Finding> {
  const name = 'data directory';
  await assertWritable(dataDirectory);
  const found = await stat(dataDirectory).catch(() => null);
  if (found === null) return ok(name, `${dataDirectory} is made by the first start`);
  if (found.uid !== process.getuid!()) {
    return warn(
      name,
      `${dataDirectory} belongs to user ${found.uid}, and this is user ${process.getuid!()}`,
      'Look as that user: what is found here may not hold for the service.',
    );
  }
  if ((found.mode & OTHERS) !== 0) {
    return warn(name, `other users may look into ${dataDirectory}`, `Close it: chmod 700 '${dataDirectory}'`);
  }
  return ok(name, dataDirectory);
}

export async function examineDisks(settings: Settings): Promise<Finding[]> {
  const { dataDirectory, files, diskReserveMb } = settings;
  const reserve = diskReserveMb * 1e6;
  const filled = { refusedBelow: reserve, warnedBelow: SOON * reserve };
  return Promise.all([
    disk('GATEHOUSE_DATA', dataDirectory, filled),
    ...(files.kind === 'file' ? [disk('GATEHOUSE_FILES', files.directory, filled)] : []),
    // An upload passes through it, so it may be a small one in memory.
    disk('TMPDIR', tmpdir(), { refusedBelow: 0, warnedBelow: reserve }),
  ]);
}

async function disk(
  setting: string,
  path: string,
  { refusedBelow, warnedBelow }: { refusedBelow: number; warnedBelow: number },
): Promise<Finding> {
  const name = `disk of ${setting}`;
  const { bytes, totalBytes, files, totalFiles } = await roomBelow(path);
  const found = `${megabytes(bytes)} of ${megabytes(totalBytes)} are free for ${path}`;
  const cure = `Make room there, or set ${setting} to a directory on a larger disk.`;
  if (bytes < refusedBelow) return fail(name, `${found}: new uploads and runs are refused`, cure);
  if (bytes < warnedBelow) return warn(name, found, cure);
  if (files !== null && files < FEWEST_FILES) {
    return warn(name, `only ${files} of ${totalFiles} more files fit for ${path} (inodes)`, cure);
  }
  return ok(name, found);
}
