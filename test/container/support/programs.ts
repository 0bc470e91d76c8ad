import { isInstalled } from '../../support/is-installed.js';

const PROGRAMS = ['dockerd', 'docker', 'debootstrap'];

/**
 * Whether the image can be built and tried here: with an engine of the tests' own, as root. Where it cannot, these tests are
 * left out, unless GATEHOUSE_FORBID_SKIPS is 1.
 */
export function canRunContainers(): boolean {
  const missing = PROGRAMS.filter((name) => !isInstalled(name, '/usr/sbin'));
  if (missing.length === 0 && process.getuid?.() === 0) return true;
  const why =
    missing.length > 0
      ? `without ${missing.join(', ')}; Debian's packages are docker.io and debootstrap`
      : 'only root can start an engine';
  if (process.env['GATEHOUSE_FORBID_SKIPS'] === '1') throw new Error(`The container is not tested: ${why}`);
  console.log(`The container is not tested (${why}).`);
  return false;
}
