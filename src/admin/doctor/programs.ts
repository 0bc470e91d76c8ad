import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { type Settings, VERSION } from '../../core/config/index.js';
import { fail, type Finding, ok } from './finding.js';

const ANSWER_MS = 10_000;

/** The versions of what Gatehouse is made of here. Those of its servers are told with them, and Python's with the sandbox; an old Node ends the command. */
export async function examinePrograms({ nodePath, runsScripts }: Settings): Promise<Finding[]> {
  const found = [ok('Gatehouse', VERSION), ok('Node', process.versions.node)];
  if (!runsScripts) return found;
  const [bubblewrap, ofScripts] = await Promise.all([
    versionOf('bwrap', '--version'),
    versionOf(nodePath, '--version'),
  ]);
  return [
    ...found,
    bubblewrap === null
      ? fail('bubblewrap', 'not installed', 'Install it: apt-get install bubblewrap')
      : ok('bubblewrap', bubblewrap),
    ofScripts === null
      ? fail('Node of scripts', `${nodePath} does not start`, 'Correct GATEHOUSE_NODE.')
      : ok('Node of scripts', ofScripts),
  ];
}

/** The number in what a program prints; null where it does not start. */
export async function versionOf(program: string, ...words: string[]): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(program, words, { timeout: ANSWER_MS });
    return /\d+(\.\d+)+/.exec(stdout)?.[0] ?? stdout.trim();
  } catch {
    return null;
  }
}
