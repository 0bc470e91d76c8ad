import type { BuildRecipe } from '../build-recipe.js';

/** Where an installation keeps what nobody needs later: on the disk, for `/tmp` in a box is memory. */
export const SCRATCH = '.installation-scratch';
/** What the usual installation leaves. */
export const INSTALLED = ['.deps', 'node_modules'];

export const PIP_CONFIG = 'pip.conf';
export const NPM_CONFIG = 'npmrc';

/**
 * Dependencies without a build system are a list of what to install (as others read it, too). With one, the folder
 * itself is a package, and is installed with what it needs. The group `main` of PEP 735 belongs to either.
 */
const PYPROJECT = `
try:
    import tomllib
except ModuleNotFoundError:
    from pip._vendor import tomli as tomllib
with open('pyproject.toml', 'rb') as file:
    data = tomllib.load(file)
wanted = data.get('project', {}).get('dependencies', [])
groups = data.get('dependency-groups', {})
def group(name):
    for item in groups.get(name, []):
        if isinstance(item, str): yield item
        else: yield from group(item['include-group'])
main = list(group('main'))
dynamic = 'dependencies' in data.get('project', {}).get('dynamic', [])
package = 'build-system' in data or dynamic or ('project' not in data and not main)
print('\\n'.join((['.'] if package else wanted) + main))
`;

const PIP_INSTALL = 'python3 -m pip install --target .deps --no-compile';
/** Python would not take the compiled files of another time as up to date, and cannot write any when a script runs. */
const COMPILE =
  'python3 -m compileall -q -j 2 --invalidation-mode unchecked-hash .deps >/dev/null 2>&1 || true';

/**
 * What a box executes to install, in its folder.
 *
 * @param bash the path of bash in the box, or null: sh
 */
export function installCommand(recipe: BuildRecipe, bash: string | null): string[] {
  const steps = ['mkdir -p "$TMPDIR"'];
  if (recipe.command !== null) steps.push(recipe.command);
  else {
    if (recipe.python === 'requirements') steps.push(`${PIP_INSTALL} -r requirements.txt`);
    if (recipe.python === 'pyproject') {
      steps.push(
        `python3 -c '${PYPROJECT.replaceAll("'", '"')}' > "$TMPDIR/wanted.txt"`,
        `${PIP_INSTALL} -r "$TMPDIR/wanted.txt"`,
      );
    }
    if (recipe.python !== null) steps.push(COMPILE);
    if (recipe.npm) {
      const options = '--omit=dev --no-audit --no-fund';
      steps.push(
        'if [ -f package-lock.json ] || [ -f npm-shrinkwrap.json ]',
        `then npm ci ${options}`,
        `else npm install --no-package-lock ${options}`,
        'fi',
      );
    }
  }
  return [bash ?? 'sh', '-e', '-c', steps.join('\n')];
}

/** The environment of an installation, besides the box's own. */
export function installEnvironment(): Record<string, string> {
  const scratch = `/app/${SCRATCH}`;
  return {
    PATH: '/runtime/bin:/app/.deps/bin:/app/node_modules/.bin:/usr/local/bin:/usr/bin:/bin',
    PYTHONPATH: '/app/.deps',
    TMPDIR: scratch,
    CI: '1',
    NO_COLOR: '1',
    PIP_CONFIG_FILE: `/inputs/${PIP_CONFIG}`,
    PIP_NO_INPUT: '1',
    PIP_NO_CACHE_DIR: '1',
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    PIP_NO_PYTHON_VERSION_WARNING: '1',
    PIP_PROGRESS_BAR: 'off',
    NPM_CONFIG_USERCONFIG: `/inputs/${NPM_CONFIG}`,
    NPM_CONFIG_CACHE: `${scratch}/npm`,
    NPM_CONFIG_UPDATE_NOTIFIER: 'false',
    NPM_CONFIG_COLOR: 'false',
    NPM_CONFIG_PROGRESS: 'false',
  };
}
