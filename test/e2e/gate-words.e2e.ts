import { describe, expect, it } from 'vitest';

import { aGatedAttacker } from '../security/support/gated.js';
import { publishedScript, run } from '../support/scripts.js';

/** Whose scripts are harmless here: each uses a client as anybody would, for a host that it has not declared. */
const author = aGatedAttacker();
/** Without any, there would be no network at all. */
const HOSTS = ['declared.example'];

/** What a client prints that may not reach its host. */
async function printedBy(code: string): Promise<string> {
  const files = { 'main.py': `import json, os, subprocess, sys\n${code}` };
  const script = await publishedScript(author.api, files, {
    command: 'python main.py',
    timeout: 30,
    hosts: HOSTS,
  });
  const { body, text } = await run(author.api, script);
  expect(body.status, text).toBe('succeeded');
  const log = await author.log(body.id as string);
  expect(log).toContain('undeclared.example');
  return body.output as string;
}

const ran = (...command: string[]): string => `
done = subprocess.run(${JSON.stringify(command)}, capture_output=True, text=True, env={**os.environ, "GIT_TERMINAL_PROMPT": "0"})
print(json.dumps(done.stdout + done.stderr))`;

describe('a client whose request the gate refuses says why, and that the log of the run has it', () => {
  it('git', async () => {
    const printed = await printedBy(
      ran('git', 'clone', 'https://undeclared.example/a/repository', '/tmp/copy'),
    );
    expect(printed).toContain('The host undeclared.example is not declared.');
    expect(printed).toContain("The run's log names it, too.");
    expect(printed).toMatch(/error: 403/);
  });

  it.each([
    ['a package of an address', ['https://undeclared.example/package-1.0.tar.gz']],
    ['an index', ['-vv', '--index-url', 'https://undeclared.example/simple', 'requests']],
  ])('pip, for %s', async (_, what) => {
    const download = ['/usr/bin/python3', '-m', 'pip', 'download', '--retries', '0', '-d', '/tmp', ...what];
    const printed = await printedBy(ran(...download));
    expect(printed).toMatch(/403 [^\n]*\(by the gate: host not declared; see the log of the run\)/);
  });

  it('curl', async () => {
    const printed = await printedBy(ran('curl', '-sS', 'https://undeclared.example/'));
    expect(printed).toContain("The run's log names it, too.");
  });
});
