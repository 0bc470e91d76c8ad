import { readFile } from 'node:fs/promises';

import { Sandbox } from '../../../libs/sandbox/index.js';
import type { Settings } from '../../core/config/index.js';
import { type Finding, ok, warn } from './finding.js';
import { versionOf } from './programs.js';

/** Opens the sandbox as a worker does, and runs a box in it: what is forbidden in no file shows as well. */
export async function examineBoxes({ nodePath }: Settings): Promise<Finding[]> {
  const sandbox = await Sandbox.open({
    cgroupName: 'gatehouse',
    nodePath,
    maxSlots: 1,
    warmInterpreters: false,
  });
  try {
    return [
      ok('sandbox', 'a box was made and ran a program'),
      await namespaces(),
      cgroups(sandbox),
      users(sandbox),
      await python(sandbox),
    ];
  } finally {
    await sandbox.close();
  }
}

/** A box was made, so whatever restricts them has an exception for it. */
async function namespaces(): Promise<Finding> {
  const restricts = await readFile('/proc/sys/kernel/apparmor_restrict_unprivileged_userns', 'utf8').catch(
    () => '0',
  );
  const aside = restricts.trim() === '1' ? '; AppArmor restricts them, and lets the sandbox' : '';
  return ok('user namespaces', `allowed${aside}`);
}

function cgroups({ limits }: Sandbox): Finding {
  if (limits !== 'reduced')
    return ok('cgroups', `version ${limits === 'cgroup-v2' ? 2 : 1}: scripts are limited as a whole`);
  return warn(
    'cgroups',
    'none can be written here, so memory is limited for each process of a script and not for all together, and the processor not at all',
    'Start the service by systemd with Delegate=yes, or as root; a shell may be in another cgroup than the service.',
  );
}

function users({ boxUsers }: Sandbox): Finding {
  if (boxUsers === 'others') return ok('user ids', 'scripts run as users of their own');
  return warn(
    'user ids',
    "scripts run as the worker's user, for it has no other ids",
    'Install uidmap and give it some: usermod --add-subuids 200000-265535 --add-subgids 200000-265535 USER',
  );
}

async function python({ runtimes }: Sandbox): Promise<Finding> {
  if (runtimes.python === null) {
    return warn(
      'Python',
      'not installed: scripts in Python cannot run',
      'Install it: apt-get install python3 python3-pip',
    );
  }
  const version = await versionOf(runtimes.python, '--version');
  const pip = await versionOf(runtimes.python, '-m', 'pip', '--version');
  if (pip !== null) return ok('Python', `${version}, with pip`);
  return warn(
    'Python',
    `${version}, without pip: what scripts depend on cannot be installed`,
    'Install it: apt-get install python3-pip',
  );
}
