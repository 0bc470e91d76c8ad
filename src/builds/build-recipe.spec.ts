import { describe, expect, it } from 'vitest';

import { planBuild } from './build-recipe.js';

const npm = (manifest: object) => ({ 'package.json': JSON.stringify(manifest) });

describe('planBuild', () => {
  it('wants nothing where there are no dependencies', () => {
    expect(planBuild({}, null)).toBeNull();
    expect(planBuild({ 'requirements.txt': '# none\n\n', 'package.json': '{"name":"x"}' }, ' ')).toBeNull();
    // requirements.txt goes before pyproject.toml, also when it lists nothing.
    expect(
      planBuild({ 'requirements.txt': '', 'pyproject.toml': '[project]\ndependencies=["a"]' }, null),
    ).toBeNull();
  });

  it('takes a build command instead of everything else', () => {
    expect(planBuild({ 'requirements.txt': 'a' }, 'make')).toEqual({
      command: 'make',
      python: null,
      npm: false,
      files: null,
    });
  });

  it.each([
    ['requests'],
    ['requests==2.0  # why'],
    ['a[b, c]>=1,<2 ; python_version < "4"'],
    ['a ~= 1.0'],
    ['a @ https://example.com/a.whl'],
    ['--only-binary :all:\na==1 \\\n  --hash=sha256:00'],
  ])('shares what lists packages only: %s', (requirements) => {
    expect(planBuild({ 'requirements.txt': requirements }, null)).toMatchObject({
      python: 'requirements',
      files: ['requirements.txt'],
    });
  });

  it.each([
    ['-r other.txt'],
    ['a\n-c limits.txt'],
    ['-e .'],
    ['.'],
    ['./a.whl'],
    ['a.whl/b'],
    ['a-1.0.whl'],
    ['a @ file:///app/a'],
    ['--find-links x\na'],
  ])('takes the whole archive for what refers to it: %s', (requirements) => {
    expect(planBuild({ 'requirements.txt': requirements }, null)).toMatchObject({ files: null });
  });

  it('takes the whole archive for pyproject.toml', () => {
    expect(planBuild({ 'pyproject.toml': '[project]\ndependencies = ["a"]' }, null)).toMatchObject({
      python: 'pyproject',
      files: null,
    });
  });

  it('installs a folder that is a package with its modules in src', () => {
    const files = [{ path: 'src/a/__init__.py' }] as never;
    const list = '[project]\nname = "a"\ndependencies = []\n';
    const pyproject = { 'pyproject.toml': `[build-system]\nrequires = []\n${list}` };
    expect(planBuild(pyproject, null, files)).toMatchObject({ python: 'pyproject', files: null });
    expect(planBuild(pyproject, null)).toBeNull();
    expect(planBuild({ 'pyproject.toml': list }, null, files)).toBeNull();
  });

  it('reads what is odd as fast as what is not', () => {
    const odd = { 'requirements.txt': `a${' '.repeat(500_000)}x\ry` };
    expect(planBuild(odd, null)).toMatchObject({ python: 'requirements', files: null });
  });

  it('installs for npm, and for both', () => {
    const plain = npm({ dependencies: { a: '^1' }, scripts: { start: 'node .' } });
    expect(planBuild(plain, null)).toMatchObject({ python: null, npm: true });
    expect(planBuild({ ...plain, 'requirements.txt': 'a' }, null)?.files).toEqual([
      'requirements.txt',
      'package.json',
      'package-lock.json',
      'npm-shrinkwrap.json',
      '.npmrc',
    ]);
  });

  it.each([
    [{ dependencies: { a: 'file:../a' } }],
    [{ dependencies: { a: './a' } }],
    [{ dependencies: { a: '1' }, workspaces: ['x'] }],
    [{ dependencies: { a: '1' }, scripts: { postinstall: 'node build.js' } }],
  ])('takes the whole archive for a package that refers to it: %j', (manifest) => {
    expect(planBuild(npm(manifest), null)).toMatchObject({ npm: true, files: null });
  });
});
