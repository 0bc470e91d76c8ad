import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { SandboxUnavailable } from './box.js';

/** bubblewrap runs where only /usr and the links to it are visible. */
const BUBBLEWRAP_PATHS = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap'];

const READ_MORE = 'Nothing is run without a sandbox.';

/** @returns bubblewrap's path, one of `paths`. @throws SandboxUnavailable if it is not installed. */
export function findBubblewrap(paths: readonly string[] = BUBBLEWRAP_PATHS): string {
  for (const path of paths) {
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // The next one.
    }
  }
  throw new SandboxUnavailable(
    `bubblewrap is not installed (looked for ${paths.join(', ')}): apt-get install bubblewrap. ${READ_MORE}`,
  );
}

function readNumber(path: string): number | null {
  try {
    return Number(readFileSync(path, 'utf8').trim());
  } catch {
    return null;
  }
}

/** What an operator can do about the usual reasons; empty where none is recognised. */
function adviceFor(): string[] {
  const advice: string[] = [];
  if (readNumber('/proc/sys/user/max_user_namespaces') === 0) {
    advice.push('user namespaces are switched off: sysctl -w user.max_user_namespaces=10000');
  }
  if (readNumber('/proc/sys/kernel/unprivileged_userns_clone') === 0) {
    advice.push('user namespaces are for root only: sysctl -w kernel.unprivileged_userns_clone=1');
  }
  if (readNumber('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === 1) {
    advice.push(
      'AppArmor restricts user namespaces (Ubuntu 23.10 and later): sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile with `userns,` for bwrap and the launcher',
    );
  }
  if (existsSync('/.dockerenv') || existsSync('/run/.containerenv')) {
    advice.push(
      'this is a container, whose default seccomp and AppArmor profiles forbid namespaces: start it with --security-opt seccomp=FILE --security-opt apparmor=unconfined --security-opt systempaths=unconfined, where FILE lets namespaces be made and file systems be mounted',
    );
  }
  return advice;
}

/** Adds to a failure at boot what can be done about it. */
export function explainFailure(error: unknown): unknown {
  if (!(error instanceof SandboxUnavailable)) return error;
  const advice = adviceFor();
  if (advice.length === 0) return error;
  return new SandboxUnavailable(`${error.message}\nWhat may help:\n- ${advice.join('\n- ')}\n${READ_MORE}`, {
    cause: error,
  });
}
