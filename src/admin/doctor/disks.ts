import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';

import type { Settings } from '../../core/config/index.js';
import { megabytes, roomBelow } from '../../core/disk/index.js';
import { fail, type Finding, ok, warn } from './finding.js';

/** Less than so many times the reserve is said before anything is refused. */
const SOON = 4;
const FEWEST_FILES = 10_000;
const OTHERS = 0o077;

/** Whose the data directory is: a command as another user makes files there that the service cannot read. */
export async function examineDataDirectory({ dataDirectory }: Settings): Promise<Finding> {
  const name = 'data directory';
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
  const disks: [setting: string, path: string][] = [
    ['GATEHOUSE_DATA', dataDirectory],
    ...(files.kind === 'file' ? [['GATEHOUSE_FILES', files.directory] as [string, string]] : []),
    ['TMPDIR', tmpdir()],
  ];
  return Promise.all(disks.map(([setting, path]) => disk(setting, path, diskReserveMb * 1e6)));
}

async function disk(setting: string, path: string, reserve: number): Promise<Finding> {
  const name = `disk of ${setting}`;
  const { bytes, totalBytes, files, totalFiles } = await roomBelow(path);
  const found = `${megabytes(bytes)} of ${megabytes(totalBytes)} are free for ${path}`;
  const cure = `Make room there, or set ${setting} to a directory on a larger disk.`;
  if (bytes < reserve) return fail(name, `${found}: new uploads and runs are refused`, cure);
  if (bytes < SOON * reserve) return warn(name, found, cure);
  if (files !== null && files < FEWEST_FILES) {
    return warn(name, `only ${files} of ${totalFiles} more files fit for ${path} (inodes)`, cure);
  }
  return ok(name, found);
}
