import { nonEmptyObject, parsePackageJson } from './package-json.js';

/** The texts of the files at the top of a folder that say what it depends on. */
export interface Manifests {
  'requirements.txt'?: string | undefined;
  'pyproject.toml'?: string | undefined;
  'package.json'?: string | undefined;
}

const PACKAGE_DEPENDENCIES = ['dependencies', 'optionalDependencies', 'peerDependencies'];

/**
 * Why a folder needs an installation before it can run, in words, or null when it can run as it is.
 *
 * @throws InvalidRequest at `archive` when package.json is not JSON
 */
export function needsInstall(manifests: Manifests, build: string | null | undefined): string | null {
  if (build != null && build.trim() !== '') return 'a build command is given';
  return pythonReason(manifests) ?? nodeReason(manifests['package.json']);
}

export function pythonReason(manifests: Manifests): string | null {
  const requirements = manifests['requirements.txt'];
  if (requirements !== undefined) {
    const first = requirements.split(/\r?\n/).find((line) => /^\s*[^\s#]/.test(line));
    return first === undefined
      ? null
      : `requirements.txt lists ${JSON.stringify(first.trim().slice(0, 100))}`;
  }
  const pyproject = manifests['pyproject.toml'];
  return pyproject !== undefined && hasPythonDependencies(pyproject)
    ? 'pyproject.toml has dependencies'
    : null;
}

/**
 * Reads only as much TOML as the question takes: a `dependencies` list that is not empty in `[project]`, a `dynamic` one, or
 * a Poetry table that names more than Python itself. Where the text is odd, it answers that there are some.
 */
function hasPythonDependencies(text: string): boolean {
  let table = '';
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  for (const [index, line] of lines.entries()) {
    const header = /^\[\[?([^\]]+)\]\]?/.exec(line);
    if (header) table = header[1]!.replace(/\s|"|'/g, '');
    const key = /^(?:"([^"]+)"|'([^']+)'|([\w.-]+))\s*=/.exec(line);
    if (!key) continue;
    const path = [table, key[1] ?? key[2] ?? key[3]!].filter(Boolean).join('.');
    if (path === 'project.dependencies' && !isEmptyList(lines, index)) return true;
    if (path === 'project.dynamic' && listText(lines, index).includes('dependencies')) return true;
    if (/^tool\.poetry\.dependencies\.(?!python$)/.test(path)) return true;
  }
  return false;
}

function isEmptyList(lines: readonly string[], start: number): boolean {
  return /^\[[\s,]*\]/.test(listText(lines, start));
}

/** A value that begins on the line `start`, comments taken out, as far as the bracket that closes a list without quotes. */
function listText(lines: readonly string[], start: number): string {
  const rest = lines.slice(start).map((line) => line.replace(/#.*$/, ''));
  rest[0] = rest[0]!.slice(rest[0]!.indexOf('=') + 1);
  const text = rest.join('\n').trim();
  const end = text.indexOf(']');
  return end < 0 ? text : text.slice(0, end + 1);
}

export function nodeReason(text: string | undefined): string | null {
  if (text === undefined) return null;
  const manifest = parsePackageJson(text);
  for (const field of PACKAGE_DEPENDENCIES) {
    const first = Object.keys(nonEmptyObject(manifest, field) ?? {})[0];
    if (first !== undefined) return `package.json has ${JSON.stringify(first.slice(0, 100))} in ${field}`;
  }
  return null;
}
