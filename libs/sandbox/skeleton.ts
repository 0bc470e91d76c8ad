import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readdir, readlink, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ReadOnlyBind } from './box.js';
import type { RuntimePlan } from './runtimes.js';
import { TRUSTED_ALIASES, TRUSTED_FILE } from './trust.js';
import { writeWarmFiles } from './warm-files.js';

/** The user inside the box, whatever the user on the host. */
export const BOX_UID = 1000;

/** Empty, in the root that bubblewrap sees: it covers what a box should not. */
export const NO_FILE = '/nothing';
/** An empty directory, likewise. */
export const NO_DIRECTORY = '/none';

const ETC: Record<string, string> = {
  passwd: `root:x:0:0:root:/:/usr/sbin/nologin\nscript:x:${BOX_UID}:${BOX_UID}:script:/tmp:/bin/sh\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n`,
  group: `root:x:0:\nscript:x:${BOX_UID}:\nnogroup:x:65534:\n`,
  hosts: '127.0.0.1 localhost sandbox\n::1 localhost sandbox\n',
  hostname: 'sandbox\n',
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\nservices: files\nprotocols: files\n',
  'resolv.conf': 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n',
};

/** Copied from the host where it has them: they are neither secret nor about the host's users or network. */
const ETC_COPIES = ['ld.so.cache', 'localtime', 'mime.types', 'services', 'protocols'];

const ALTERNATIVES = '/etc/alternatives';

const DIRECTORIES = [
  ...['usr', 'app', 'inputs', 'tmp', 'outputs', 'proc', 'dev/shm', 'runtime/bin', 'var'],
  ALTERNATIVES,
];

/** Besides /usr, where programs and libraries are, or links to them. */
const SYSTEM_PATHS = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'];

const DEV_LINKS: Record<string, string> = {
  // They are the same by now, and each mount costs every run.
  random: 'urandom',
  fd: '/proc/self/fd',
  stdin: '/proc/self/fd/0',
  stdout: '/proc/self/fd/1',
  stderr: '/proc/self/fd/2',
};

/** What the launcher mounts, once, on a skeleton. */
export interface StaticMounts {
  binds: ReadOnlyBind[];
  devices: ReadOnlyBind[];
}

function writeReadable(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  writeFileSync(path, content, { mode: 0o644 });
}

/** Without the links to manual pages: they are most of them, and nobody reads one in a box. */
async function linkAlternatives(box: string): Promise<void> {
  if (!existsSync(ALTERNATIVES)) return;
  const entries = await readdir(ALTERNATIVES, { withFileTypes: true });
  const links = entries.filter((entry) => entry.isSymbolicLink() && !entry.name.endsWith('.gz'));
  await Promise.all(
    links.map(async ({ name }) => {
      const path = join(ALTERNATIVES, name);
      await symlink(await readlink(path), join(box, path));
    }),
  );
}

/**
 * Writes the directory tree that becomes the root of every box: mount points, links and a small /etc. Around it lies
 * what only bubblewrap needs: `/proc`, `/tmp`, and the way to its own libraries.
 *
 * @param directory an existing, empty directory.
 * @param zeroDevice false: no /dev/zero, which is a way to memory that no heap limit counts.
 * @param door where the files are that interpreters load which wait for a run; null: none will.
 * @returns what has to be mounted on it.
 */
export async function writeSkeleton(
  directory: string,
  plan: RuntimePlan,
  zeroDevice: boolean,
  door: string | null,
): Promise<StaticMounts> {
  const { mounts, compiled } = writeFiles(directory, plan, { zeroDevice, door });
  await Promise.all([compiled, linkAlternatives(join(directory, 'box'))]);
  return mounts;
}

function writeFiles(
  directory: string,
  plan: RuntimePlan,
  { zeroDevice, door }: { zeroDevice: boolean; door: string | null },
): { mounts: StaticMounts; compiled: Promise<void> } {
  // The modes below are meant as written, whatever the worker's own umask.
  const umask = process.umask(0o022);
  try {
    const compiled =
      door === null ? Promise.resolve() : writeWarmFiles(join(directory, 'box'), door, plan.runtimes);
    return { mounts: write(directory, plan, zeroDevice), compiled };
  } finally {
    process.umask(umask);
  }
}

function write(directory: string, plan: RuntimePlan, zeroDevice: boolean): StaticMounts {
  const box = join(directory, 'box');
  const mounts: StaticMounts = { binds: [{ source: '/usr', target: '/usr' }], devices: [] };
  for (const path of DIRECTORIES) mkdirSync(join(box, path), { recursive: true });
  for (const path of ['proc', 'tmp', NO_DIRECTORY]) mkdirSync(join(directory, path));
  writeReadable(join(directory, NO_FILE), '');
  symlinkSync('box/usr', join(directory, 'usr'));

  for (const name of SYSTEM_PATHS) {
    const path = `/${name}`;
    if (!existsSync(path)) continue;
    symlinkSync(`box/${name}`, join(directory, name));
    if (lstatSync(path).isSymbolicLink()) {
      symlinkSync(readlinkSync(path), join(box, name));
    } else {
      mkdirSync(join(box, name));
      mounts.binds.push({ source: path, target: path });
    }
  }

  for (const [name, content] of Object.entries(ETC)) writeReadable(join(box, 'etc', name), content);
  for (const name of ETC_COPIES) {
    if (existsSync(join('/etc', name))) copyFileSync(join('/etc', name), join(box, 'etc', name));
  }
  writeReadable(join(box, TRUSTED_FILE), '');
  for (const alias of TRUSTED_ALIASES) {
    mkdirSync(dirname(join(box, alias)), { recursive: true });
    symlinkSync(TRUSTED_FILE, join(box, alias));
  }

  for (const name of ['null', 'full', 'urandom', ...(zeroDevice ? ['zero'] : [])]) {
    writeReadable(join(box, 'dev', name), '');
    mounts.devices.push({ source: `/dev/${name}`, target: `/dev/${name}` });
  }
  symlinkSync('../tmp', join(box, 'var/tmp'));
  for (const [name, target] of Object.entries(DEV_LINKS)) symlinkSync(target, join(box, 'dev', name));

  for (const { source, target } of plan.binds) {
    if (statSync(source).isDirectory()) mkdirSync(join(box, target), { recursive: true });
    else writeReadable(join(box, target), '');
    mounts.binds.push({ source, target });
  }
  for (const [path, target] of Object.entries(plan.links)) symlinkSync(target, join(box, path));
  return mounts;
}
