import driver from 'pg/package.json' with { type: 'json' };

/** Of `pg`, whose insides `PreparedQuery` stands in for. Raise it once the tests here pass with another. */
const TRIED = '8.23.';

/** @throws Error if another `pg` is installed than the one that this was tried with */
export function assertDriverVersion(version: string = driver.version): void {
  if (version.startsWith(TRIED)) return;
  throw new Error(
    `pg ${version} is installed, and prepared statements were tried with ${TRIED}x: install that one (npm ci).`,
  );
}
