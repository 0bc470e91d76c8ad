import { writeFile } from 'node:fs/promises';

import type { Settings } from '../../core/config/index.js';
import { type ProofReport, proveHere, signReport, type WallResult } from '../../runs/index.js';
import type { Answer } from '../answer.js';
import { CommandRefused } from '../command-refused.js';
import { presentKey } from './present-key.js';
import { verifyProof } from './verify-proof.js';

interface Options {
  output?: string;
  verify?: string;
}

const INDENT = ' '.repeat(16);
const SHOWN = { held: 'held', 'not-held': 'not held', 'cannot-be-here': 'cannot be here' };

/** Attacks boxes that are made as this installation's worker makes them, and says which walls hold. Sets the exit code. */
export async function prove(settings: Settings, { output, verify }: Options): Promise<Answer> {
  if (verify !== undefined) return verifyProof(settings, verify);
  const key = await presentKey(settings);
  if (output !== undefined && key === null) {
    throw new CommandRefused(
      `There is no master key yet in ${settings.dataDirectory} to sign the report with: the first start makes one. Without --output, walls are tried all the same.`,
    );
  }
  // As a worker does: boxes read what they are given as another user.
  process.umask(0o022);
  const report = await proveHere(settings, process.env);
  if (report.sums['not-held'] > 0 || report.sums.held === 0) process.exitCode = 1;
  const value = key === null ? { report, publicKey: null, signature: null } : signReport(report, key);
  if (output !== undefined) await writeFile(output, `${JSON.stringify(value, null, 2)}\n`);
  return { text: textOf(report), value };
}

function textOf({ walls, sums, machine, version }: ProofReport): string {
  const { kernel, engine, limits, users } = machine;
  const place = engine === 'none' ? 'no container' : `a container (${engine})`;
  return [
    ...walls.map(linesOf),
    '',
    `Gatehouse ${version} on ${kernel}, ${place}, limits: ${limits}, users: ${users}`,
    `${sums.held} held, ${sums['not-held']} not held, ${sums['cannot-be-here']} cannot be here`,
  ].join('\n');
}

function linesOf({ name, state, says, found, cure }: WallResult): string {
  const line = `${SHOWN[state].padEnd(INDENT.length)}${name}: ${found ?? says}`;
  return cure === null ? line : `${line}\n${INDENT}${cure}`;
}
