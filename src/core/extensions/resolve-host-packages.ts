/** What the hook has to know of the program. Addresses are those of files. */
export interface Host {
  /** The directories of the program and of its packages. */
  program: string[];
  /** What `@gatehouse/extension` is. */
  entry: string;
  /** A module of the program, whose packages extensions get. */
  parent: string;
  /** Those of the extensions. */
  directories: string[];
}

interface Context {
  parentURL?: string | undefined;
}

interface Resolved {
  url: string;
  shortCircuit?: boolean;
}

type Next = (specifier: string, context: Context) => Resolved;

/** Begins a specifier that says from which directory a package is looked for. */
export const FROM = 'gatehouse-from:';

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

let host: Host;

/** Called by Node in the thread of the hook, or by the program where Node has hooks without a thread. */
export function initialize(data: Host): void {
  host = data;
}

export function resolve(specifier: string, context: Context, next: Next): Resolved {
  if (specifier.startsWith(FROM)) {
    const [parentURL, name] = specifier.slice(FROM.length).split(' ');
    return next(name!, { ...context, parentURL });
  }
  if (!isOfAnExtension(context.parentURL)) return next(specifier, context);
  if (specifier === ENTRY) return { url: host.entry, shortCircuit: true };
  const isShared = SHARED.some((name) => specifier === name || specifier.startsWith(`${name}/`));
  return next(specifier, isShared ? { ...context, parentURL: host.parent } : context);
}

/** Whatever is imported from elsewhere than the program belongs to an extension, if need be to a package that one uses. */
function isOfAnExtension(url: string | undefined): boolean {
  if (url === undefined) return false;
  const isIn = (directories: string[]): boolean => directories.some((directory) => url.startsWith(directory));
  return isIn(host.directories) || !isIn(host.program);
}
