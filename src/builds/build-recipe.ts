import { nonEmptyObject, parsePackageJson } from '../../libs/command/index.js';
import type { InspectedArchive } from '../../libs/archive/index.js';
import { type Manifests, hasNodeDependencies, linesOf, pythonList } from './dependency-lists.js';

/** How the dependencies of a folder are installed. */
export interface BuildRecipe {
  /** Instead of all else. */
  command: string | null;
  python: 'requirements' | 'pyproject' | null;
  npm: boolean;
  /**
   * The files at the top that the result depends on, and all that the installation gets to see; the result is then laid
   * over any archive with the same ones. null: the whole archive.
   */
  files: string[] | null;
}

const NPM_FILES = ['package.json', 'package-lock.json', 'npm-shrinkwrap.json', '.npmrc'];
/** Options in requirements.txt that name no file. */
const SELF_CONTAINED = /^--(hash|only-binary|no-binary|prefer-binary|pre|require-hashes)\b/;
/** What npm runs of the package itself while it installs. */
const INSTALL_SCRIPTS = [
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'preprepare',
  'prepare',
  'postprepare',
];
const DEPENDENCIES = ['dependencies', 'optionalDependencies', 'peerDependencies', 'devDependencies'];

/**
 * The installation that a folder needs, or null where it runs as it is.
 *
 * @param manifests the texts of the files at the top of the folder, `package.json` being JSON
 * @param build the command that replaces the usual installation
 * @param files all files of the folder
 * @throws InvalidInput at `archive` when package.json is not JSON
 */
export function planBuild(
  manifests: Manifests,
  build: string | null | undefined,
  files: InspectedArchive['files'] = [],
): BuildRecipe | null {
  if (build != null && build.trim() !== '') return { command: build, python: null, npm: false, files: null };
  const hasSource = files.some(({ path }) => /^src\/.*\.py$/s.test(path));
  const python = pythonList(manifests, hasSource);
  const packageJson = manifests['package.json'];
  const npm = hasNodeDependencies(packageJson);
  if (python === null && !npm) return null;
  const whole =
    python === 'pyproject' ||
    (python === 'requirements' && namesFiles(manifests['requirements.txt']!)) ||
    (npm && packageNamesFiles(packageJson!));
  const seen = [...(python === 'requirements' ? ['requirements.txt'] : []), ...(npm ? NPM_FILES : [])];
  return { command: null, python, npm, files: whole ? null : seen };
}

/** Whether a line of requirements.txt refers to something else in the folder: another list, a wheel, the folder itself. */
function namesFiles(requirements: string): boolean {
  return linesOf(requirements.replace(/\\\r?\n/g, ' '))
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '')
    .some((line) => (line.startsWith('-') ? !SELF_CONTAINED.test(line) : !isRequirement(line)));
}

/** A name with extras, versions, a marker and options, or with the address that it comes from. */
function isRequirement(line: string): boolean {
  const [, rest] = /^[A-Za-z0-9][\w.-]*\s*(?:\[[\w.,\s-]*\])?\s*(.*)$/.exec(line) ?? [];
  if (rest === undefined || /\.(?:whl|zip|tgz|tar\.\w+)$/.test(line.replace(/@\s*https:.*/, '')))
    return false;
  return rest.startsWith('@') ? /^@\s*https:\/\//.test(rest) : /^$|^[(<>=!~;]|^--hash/.test(rest);
}

function packageNamesFiles(text: string): boolean {
  const manifest = parsePackageJson(text);
  if ('workspaces' in manifest) return true;
  const scripts = nonEmptyObject(manifest, 'scripts') ?? {};
  if (INSTALL_SCRIPTS.some((name) => name in scripts)) return true;
  return DEPENDENCIES.flatMap((field) => Object.values(nonEmptyObject(manifest, field) ?? {})).some(
    (source) => typeof source !== 'string' || /^(?:file:|link:|workspace:|[.~/])/.test(source),
  );
}
