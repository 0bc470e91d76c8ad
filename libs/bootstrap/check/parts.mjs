import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { TESTS_OF_ATTACKS } from '../tests-of-attacks.mjs';

const ESLINT = join('node_modules', 'eslint', 'bin', 'eslint.js');
const PRETTIER = join('node_modules', 'prettier', 'bin', 'prettier.cjs');
const TSC = join('node_modules', 'typescript', 'bin', 'tsc');
const CRUISER = join('node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs');
const PROJECTS = ['.', 'libs/console', 'test/client', 'libs/cli', 'libs/client'];

/** With no file at all, these two would take what they find, or refuse. */
const ofFiles = (command, files) => (files.length > 0 ? [[...command, ...files]] : []);
/** Types of five projects at once take more than Node allows itself. */
const eslint = (files, ...options) =>
  ofFiles(['--max-old-space-size=6144', ESLINT, '--max-warnings=0', '--no-warn-ignored', ...options], files);
const prettier = (files, ...options) =>
  ofFiles(
    [
      ...[PRETTIER, '--log-level=warn', '--ignore-unknown'],
      ...['--cache', '--cache-location=dist/.prettier', ...options],
    ],
    files,
  );
const types = (project) => [
  ...[TSC, '--noEmit', '-p', project, '--incremental'],
  ...['--tsBuildInfoFile', join('dist', '.types', project.replaceAll(/\W/g, '-'))],
];
/** A command of ours that writes something, and with `--check` only says whether that is up to date. */
const generated = (name) => {
  const script = join('libs', 'bootstrap', `${name}.mjs`);
  return { check: () => [[script, '--check']], fix: () => [[script]] };
};

/**
 * What `npm run check` checks, by the name of the part. `of` are the files that a part goes by. `check` and `fix` are what
 * Node runs for these files, each a script with its arguments. `built`: it looks at the built program.
 */
const PARTS = {
  version: {
    of: /(^|\/)package(-lock)?\.json$|^Dockerfile$|^deploy\/chart\/Chart\.yaml$|^docs\/.*\.md$/,
    ...generated('version'),
  },
  lint: {
    of: /\.(ts|tsx|mjs|js)$/,
    check: (files) => eslint(files),
    fix: (files) => eslint(files, '--fix'),
  },
  format: {
    of: /./,
    check: (files) => prettier(files, '--check'),
    fix: (files) => prettier(files, '--write'),
  },
  types: {
    of: /\.tsx?$|tsconfig.*\.json$/,
    check: () => PROJECTS.map(types),
    titleOf: ([, , project]) => `types of ${project}`,
  },
  circles: {
    of: /^(src|libs|test)\/.*\.(ts|tsx|mjs)$/,
    check: () => [[CRUISER, '--config', '.dependency-cruiser.mjs', 'src', 'libs', 'test']],
  },
  statements: {
    of: /^src\/.*(?<!\.spec)\.ts$/,
    check: () => [[join('libs', 'bootstrap', 'statements.mjs')]],
  },
  attacks: {
    of: new RegExp(`^(${[...TESTS_OF_ATTACKS, 'docs/attacks.md'].join('|').replaceAll('.', '\\.')})`),
    // The titles of tests change often, and the page is read at a release.
    check: () => [],
    fix: generated('attacks').fix,
  },
  // A test compares the digests.
  migrations: {
    of: /^src\/migrations\//,
    check: () => [],
    fix: () => [[join('libs', 'bootstrap', 'landed.mjs')]],
  },
  schema: {
    of: /^src\/(migrations\/|core\/database\/|.*\.entity\.ts$)/,
    built: true,
    check: () => [[join('libs', 'bootstrap', 'schema', 'check.mjs')]],
  },
  openapi: { of: /^src\/.*(?<!\.spec)\.ts$|^src\/openapi-metadata\.json$/, ...generated('openapi-metadata') },
  client: { of: /^src\/.*(?<!\.spec)\.ts$|^libs\/client\//, built: true, ...generated('client') },
  extension: { of: /^(src|libs\/\w+)\/.*(?<!\.spec)\.ts$/, built: true, ...generated('extension-api') },
  sizes: {
    of: /^libs\/(console|client)\//,
    built: true,
    check: () => [[join('libs', 'bootstrap', 'console-sizes.mjs')]],
  },
};

/** They settle what the parts find: once one of them has changed, everything is checked. */
const SETTINGS = /^(tsconfig\.json|eslint\.config\.js|\.prettier.*|\.dependency-cruiser\.mjs)$/;

export const PART_NAMES = Object.keys(PARTS);

/**
 * The parts to carry out, each with its files: those that are named, or else those that the changed files concern.
 * @param {string[]} names
 * @param {string[] | null} changed null: everything is checked
 */
export function chooseParts(names, changed) {
  const all = changed === null || changed.some((path) => SETTINGS.test(path));
  return Object.entries(PARTS).flatMap(([name, part]) => {
    const concerned = all ? ['.'] : changed.filter((path) => part.of.test(path));
    const isChosen = names.length > 0 ? names.includes(name) : concerned.length > 0;
    return isChosen ? [{ ...part, name, files: concerned.filter((path) => existsSync(path)) }] : [];
  });
}
