import { basename, dirname } from 'node:path';

import { succeed } from './succeed.mjs';

/**
 * A folder as a .tar.gz that is the same wherever and whenever it is made.
 * @param {string} folder
 * @param {string} name what it is called in there
 * @param {string} archive
 * @param {number} epoch the time of each file, in seconds
 */
export async function packFolder(folder, name, archive, epoch) {
  await succeed('tar', [
    ...['--create', '--sort=name', '--format=gnu', `--mtime=@${epoch}`],
    ...['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'],
    ...['--use-compress-program=gzip -n', `--file=${archive}`],
    ...[`--transform=flags=r;s,^${basename(folder)},${name},`, `--directory=${dirname(folder)}`],
    basename(folder),
  ]);
}
