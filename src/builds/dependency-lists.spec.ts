import { describe, expect, it } from 'vitest';

import { type Manifests, hasNodeDependencies, pythonList } from './dependency-lists.js';

describe('what lists dependencies', () => {
  it.each<[string, Manifests, boolean]>([
    ['nothing', {}, false],
    ['empty requirements', { 'requirements.txt': '\n# none\n  \n' }, false],
    ['a requirement', { 'requirements.txt': '# x\n\nrequests==2.32\n' }, true],
    ['an option line', { 'requirements.txt': '-r more.txt' }, true],
    [
      'requirements before pyproject',
      { 'requirements.txt': '', 'pyproject.toml': '[project]\ndependencies = ["a"]' },
      false,
    ],
    [
      'pyproject without',
      { 'pyproject.toml': '[project]\nname = "x"\n[tool.black]\nline-length = 1' },
      false,
    ],
    ['pyproject empty list', { 'pyproject.toml': '[project]\ndependencies = [\n  # none\n]' }, false],
    ['pyproject list', { 'pyproject.toml': '[project]\ndependencies = [\n  # one\n  "a",\n]' }, true],
    ['pyproject dotted', { 'pyproject.toml': 'project.dependencies = ["a"]' }, true],
    ['pyproject dynamic', { 'pyproject.toml': '[project]\ndynamic = ["version", "dependencies"]' }, true],
    ['pyproject group', { 'pyproject.toml': '[dependency-groups]\nmain = ["a"]' }, true],
    ['pyproject other group', { 'pyproject.toml': '[dependency-groups]\ndev = ["a"]\nmain = []' }, false],
    ['optional groups', { 'pyproject.toml': '[project.optional-dependencies]\ndev = ["x"]' }, false],
    ['poetry python only', { 'pyproject.toml': '[tool.poetry.dependencies]\npython = "^3.11"' }, false],
    ['poetry', { 'pyproject.toml': '[tool.poetry.dependencies]\npython = "^3.11"\nrequests = "*"' }, true],
    ['pyproject list twice', { 'pyproject.toml': '[project]\n' + 'dependencies=[]\n'.repeat(60_000) }, true],
    [
      'pyproject tables of long names',
      { 'pyproject.toml': `[${'a'.repeat(500_000)}]\n` + 'a=1\n'.repeat(100_000) },
      false,
    ],
    ['lines of returns', { 'requirements.txt': '\r'.repeat(500_000) }, false],
    ['package without', { 'package.json': '{"dependencies": {}, "devDependencies": {"a": "1"}}' }, false],
    ['workspaces', { 'package.json': '{"workspaces": ["packages/*"]}' }, true],
    ['no workspaces', { 'package.json': '{"workspaces": []}' }, false],
    ['package', { 'package.json': '{"dependencies": {"a": "1"}}' }, true],
    ['optional package', { 'package.json': '{"optionalDependencies": {"a": "1"}}' }, true],
  ])('%s', (_name, manifests, expected) => {
    expect(pythonList(manifests) !== null || hasNodeDependencies(manifests['package.json'])).toBe(expected);
  });
});
