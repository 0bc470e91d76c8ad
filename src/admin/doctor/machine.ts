import { readFile } from 'node:fs/promises';
import { arch, release } from 'node:os';
import { dirname, join } from 'node:path';

import { DEFAULT_LIMITS, softLimit } from '../../../libs/sandbox/index.js';
import type { Settings } from '../../core/config/index.js';
import { fail, type Finding, ok, warn } from './finding.js';

/** The oldest on which every part of the sandbox works. */
const OLDEST_KERNEL = [5, 12] as const;
const PROCESSORS = ['x64', 'arm64'];
/** Connections, files and the pipes of scripts together. */
const FEWEST_OPEN_FILES = 4096;
const CGROUPS = '/sys/fs/cgroup';

/** The kernel, the processor, and what this process may have of the machine. */
export async function examineMachine(settings: Settings): Promise<Finding[]> {
  return [kernel(), processor(), ...(await limits(settings))];
}

function kernel(): Finding {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_KERNEL;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) {
    return ok('kernel', `Linux ${release()}`);
  }
  return fail(
    'kernel',
    `Linux ${release()} is too old for the sandbox`,
    `Use ${OLDEST_KERNEL.join('.')} or newer.`,
  );
}

function processor(): Finding {
  if (PROCESSORS.includes(arch())) return ok('processor', arch());
  return fail(
    'processor',
    `the sandbox has no filter of system calls for ${arch()}`,
    'Use an x86-64 or ARM64 machine.',
  );
}

async function limits({ runsScripts, runConcurrency }: Settings): Promise<Finding[]> {
  const text = await readFile('/proc/self/limits', 'utf8');
  const openFiles = softLimit(text, 'Max open files');
  const files =
    openFiles >= FEWEST_OPEN_FILES
      ? ok('open files', `${named(openFiles)} at once`)
      : warn(
          'open files',
          `only ${openFiles} at once`,
          `Allow ${FEWEST_OPEN_FILES} or more: LimitNOFILE= of a service of systemd, --ulimit nofile= of a container, ulimit -n of a shell.`,
        );
  return runsScripts ? [files, await processes(text, runConcurrency)] : [files];
}

/** Root is bounded by the cgroup alone. */
async function processes(text: string, runConcurrency: number): Promise<Finding> {
  const ofUser = process.getuid!() === 0 ? Infinity : softLimit(text, 'Max processes');
  const most = Math.min(ofUser, await pidsOfCgroup());
  const wanted = runConcurrency * DEFAULT_LIMITS.processes;
  if (most >= wanted) return ok('processes', `${named(most)} at once`);
  return warn(
    'processes',
    `only ${most} at once, and ${runConcurrency} scripts (GATEHOUSE_RUN_CONCURRENCY) may have ${wanted}`,
    'Allow more: LimitNPROC= and TasksMax= of a service of systemd, --pids-limit of a container, ulimit -u of a shell. Or lower GATEHOUSE_RUN_CONCURRENCY.',
  );
}

/** The smallest limit from this process's cgroup upwards, as far as it is visible; version 2 alone is looked at. */
async function pidsOfCgroup(): Promise<number> {
  const own = /^0::(.*)$/m.exec(await readFile('/proc/self/cgroup', 'utf8'))?.[1] ?? '/';
  let most = Infinity;
  for (let folder = join(CGROUPS, own); folder.startsWith(CGROUPS); folder = dirname(folder)) {
    const value = Number(await readFile(join(folder, 'pids.max'), 'utf8').catch(() => 'max'));
    if (value < most) most = value;
  }
  return most;
}

function named(limit: number): string {
  return limit === Infinity ? 'any number' : String(limit);
}
