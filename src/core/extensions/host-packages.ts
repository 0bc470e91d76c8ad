import { existsSync } from 'node:fs';
import { registerHooks, type ResolveHookSync } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What the hook has to know. Addresses are those of files. */
interface Host {
  /** The directories of the program and of its packages. */
  program: string[];
  /** What `@gatehouse/extension` is. */
  entry: string;
  /** Those of the extensions. */
  extensions: string[];
}

/** Begins a specifier that says from which directory a package is looked for. */
const FROM = 'gatehouse-from:';

const ENTRY = '@gatehouse/extension';
/** What an extension and the program must have one copy of. */
const SHARED = [
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/swagger',
  '@nestjs/typeorm',
  'class-transformer',
  'class-validator',
  'reflect-metadata',
  'rxjs',
  'typeorm',
];

/** A specifier of a package as a module of that directory would import it. */
export function fromDirectory(specifier: string, directory: string): string {
  return `${FROM}${pathToFileURL(`${directory}/`).href} ${specifier}`;
}

/**
 * Has the modules of extensions get this program's own copies of the packages that both share: Nest and TypeORM know
 * classes by identity, and a mounted folder has no `node_modules`.
 *
 * @param directories of the extensions
 */
export function shareHostPackages(directories: readonly string[]): void {
  const host = {
    program: [new URL('../../../', import.meta.url).href, ownPackages(import.meta.dirname)],
    entry: new URL(`../../extension/index${extname(import.meta.filename)}`, import.meta.url).href,
    extensions: directories.map((directory) => pathToFileURL(`${directory}/`).href),
  };
  registerHooks({ resolve: resolverOf(host) });
}

function resolverOf(host: Host): ResolveHookSync {
  return (specifier, context, next) => {
    if (specifier.startsWith(FROM)) {
      const [parentURL, name] = specifier.slice(FROM.length).split(' ');
      return next(name!, { ...context, parentURL });
    }
    if (!isOfAnExtension(context.parentURL, host)) return next(specifier, context);
    if (specifier === ENTRY) return { url: host.entry, shortCircuit: true };
    const isShared = SHARED.some((name) => specifier === name || specifier.startsWith(`${name}/`));
    return next(specifier, isShared ? { ...context, parentURL: import.meta.url } : context);
  };
}

/** Whatever is imported from elsewhere than the program belongs to an extension, if need be to a package that one uses. */
function isOfAnExtension(url: string | undefined, { program, extensions }: Host): boolean {
  if (url === undefined) return false;
  const isIn = (directories: string[]): boolean => directories.some((directory) => url.startsWith(directory));
  return isIn(extensions) || !isIn(program);
}

/** The directory of packages that this program uses. */
function ownPackages(below: string): string {
  const packages = join(below, 'node_modules');
  if (existsSync(join(packages, '@nestjs', 'common'))) return pathToFileURL(`${packages}/`).href;
  return ownPackages(dirname(below));
}
