import { readFile } from 'node:fs/promises';

import type { Settings } from '../../core/config/index.js';
import { type ProofReport, type SignedReport, type Verdict, verifyReport } from '../../runs/index.js';
import type { Answer } from '../answer.js';
import { CommandRefused } from '../command-refused.js';
import { presentKey } from './present-key.js';

const WORDS: Record<Verdict, string> = {
  own: 'The report is whole, and this installation has signed it.',
  changed:
    'This is no report as it was signed: something in it was changed, or it is none. Nothing in it counts.',
  'other-key':
    "The report is whole, but this installation's present master key has not signed it. Another installation has, or this one " +
    'had another master key then. The report alone does not tell which: compare its publicKey with one that was noted before the change.',
};

/** Says whether a report is whole and of this installation. Sets the exit code. */
export async function verifyProof(settings: Settings, path: string): Promise<Answer> {
  const key = await presentKey(settings);
  if (key === null) {
    throw new CommandRefused(
      `There is no master key in ${settings.dataDirectory} to compare the report with. Give GATEHOUSE_MASTER_KEY or GATEHOUSE_DATA of the installation.`,
    );
  }
  const signed = parsed(await readFile(path, 'utf8'));
  const verdict = verifyReport(signed, key);
  if (verdict !== 'own') process.exitCode = 1;
  const publicKey = verdict === 'changed' ? null : (signed as SignedReport).publicKey;
  const summary = verdict === 'own' ? [summaryOf((signed as SignedReport).report)] : [];
  return { text: [WORDS[verdict], ...summary].join('\n'), value: { verdict, publicKey } };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function summaryOf({ startedAt, version, baseUrl, sums }: ProofReport): string {
  return `${startedAt}, Gatehouse ${version} of ${baseUrl}: ${JSON.stringify(sums)}`;
}
