import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import * as resolution from './resolve-host-packages.js';

/** Newer versions of Node need no thread for hooks. */
interface SynchronousHooks {
  registerHooks?(hooks: { resolve: typeof resolution.resolve }): void;
}

/** A specifier of a package as a module of that directory would import it. */
export function fromDirectory(specifier: string, directory: string): string {
  return `${resolution.FROM}${pathToFileURL(`${directory}/`).href} ${specifier}`;
}

/**
 * Has the modules of extensions get this program's own copies of the packages that both share: Nest and TypeORM know
 * classes by identity, and a mounted folder has no `node_modules`.
 *
 * @param directories of the extensions
 */
export function shareHostPackages(directories: readonly string[]): void {
  const extension = extname(import.meta.filename);
  const host: resolution.Host = {
    program: [new URL('../../../', import.meta.url).href, ownPackages(import.meta.dirname)],
    entry: new URL(`../../extension/index${extension}`, import.meta.url).href,
    parent: import.meta.url,
    directories: directories.map((directory) => pathToFileURL(`${directory}/`).href),
  };
  const { registerHooks } = nodeModule as SynchronousHooks;
  if (registerHooks) {
    resolution.initialize(host);
    registerHooks({ resolve: resolution.resolve });
  } else {
    nodeModule.register(`./resolve-host-packages${extension}`, import.meta.url, { data: host });
  }
}

/** The directory of packages that this program uses. */
function ownPackages(below: string): string {
  const packages = join(below, 'node_modules');
  if (existsSync(join(packages, '@nestjs', 'common'))) return pathToFileURL(`${packages}/`).href;
  return ownPackages(dirname(below));
}
