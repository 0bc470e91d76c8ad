import library from 'oidc-provider/package.json' with { type: 'json' };

/** Of `oidc-provider`, some of whose methods ours stand in for. Raise it once the tests here pass with another. */
const TRIED = '9.13.';

/** @throws Error if another `oidc-provider` is installed than the one that this was tried with */
export function assertLibraryVersion(version: string = library.version): void {
  if (version.startsWith(TRIED)) return;
  throw new Error(
    `oidc-provider ${version} is installed, and own sessions and tokens were tried with ${TRIED}x: install that one (npm ci).`,
  );
}
