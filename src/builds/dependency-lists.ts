import { nonEmptyObject, parsePackageJson } from '../../libs/command/index.js';

/** The texts of the files at the top of a folder that say what it depends on. */
export interface Manifests {
  'requirements.txt'?: string | undefined;
  'pyproject.toml'?: string | undefined;
  'package.json'?: string | undefined;
}

/** Of a table's name; what is longer is none that is looked for. */
const MOST_NAME = 200;
const LISTS = new Set(['project.dependencies', 'project.dynamic', 'dependency-groups.main']);
const PACKAGE_DEPENDENCIES = ['dependencies', 'optionalDependencies', 'peerDependencies'];

/**
 * How Python's dependencies are listed, or null where there are none. requirements.txt counts before pyproject.toml, also when it
 * lists nothing.
 *
 * @param hasSource there are modules of Python in `src`, which only an installation of the folder itself makes importable
 */
export function pythonList(manifests: Manifests, hasSource = false): 'requirements' | 'pyproject' | null {
  const requirements = manifests['requirements.txt'];
  if (requirements !== undefined)
    return linesOf(requirements).some((line) => /^\s*[^\s#]/.test(line)) ? 'requirements' : null;
  const pyproject = manifests['pyproject.toml'];
  if (pyproject === undefined) return null;
  const isPackage = hasSource && /^[ \t]*\[[ \t]*build-system[ \t]*\]/m.test(pyproject);
  return isPackage || hasPythonDependencies(pyproject) ? 'pyproject' : null;
}

/** The lines of a requirements.txt as pip reads them, so that none has an end of a line within. */
export function linesOf(requirements: string): string[] {
  return requirements.split(/\r\n|[\n\r\u2028\u2029]/);
}

/**
 * Whether a package.json lists something that a run needs.
 *
 * @throws InvalidInput at `archive` when it is not JSON
 */
export function hasNodeDependencies(text: string | undefined): boolean {
  if (text === undefined) return false;
  const manifest = parsePackageJson(text);
  return (
    hasWorkspaces(manifest) || PACKAGE_DEPENDENCIES.some((field) => nonEmptyObject(manifest, field) !== null)
  );
}

/** Packages of the folder itself, which depend on others and are linked to. */
function hasWorkspaces({ workspaces }: Record<string, unknown>): boolean {
  return Array.isArray(workspaces)
    ? workspaces.length > 0
    : typeof workspaces === 'object' && workspaces !== null;
}

/**
 * Reads only as much TOML as the question takes: a `dependencies` list that is not empty in `[project]`, a `dynamic` one, the
 * group `main` of `[dependency-groups]`, or a Poetry table that names more than Python itself. Where the text is odd, it takes it that there are some.
 */
function hasPythonDependencies(text: string): boolean {
  let table = '';
  const seen = new Set<string>();
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  for (const [index, line] of lines.entries()) {
    const header = /^\[\[?([^\]]+)\]\]?/.exec(line);
    if (header) table = header[1]!.slice(0, MOST_NAME).replace(/\s|"|'/g, '');
    const key = /^(?:"([^"]+)"|'([^']+)'|([\w.-]+))\s*=/.exec(line);
    if (!key) continue;
    const path = [table, key[1] ?? key[2] ?? key[3]!].filter(Boolean).join('.');
    if (LISTS.has(path)) {
      // No TOML has a key twice, and each list may be as long as the file.
      if (seen.has(path)) return true;
      seen.add(path);
    }
    const isList = path === 'project.dependencies' || path === 'dependency-groups.main';
    if (isList && !isEmptyList(lines, index)) return true;
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
  const rest = lines.slice(start).map((line) => line.split('#', 1)[0]!);
  rest[0] = rest[0]!.slice(rest[0]!.indexOf('=') + 1);
  const text = rest.join('\n').trim();
  const end = text.indexOf(']');
  return end < 0 ? text : text.slice(0, end + 1);
}
