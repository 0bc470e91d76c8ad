import { CommandFailure, WrongUse } from '../failure/command-failure.js';
import { isInteractive } from './interactive.js';
import { plainText } from './plain-text.js';

export interface DeletionOptions {
  yes?: true;
}

/** For what cannot be undone: asks a person, unless `--yes` was given. @throws CommandFailure where they say no */
export async function confirmDeletion(question: string, { yes }: DeletionOptions): Promise<void> {
  if (yes) return;
  if (!isInteractive()) throw new WrongUse(question, 'Add --yes where nobody can be asked.');
  const { confirm } = await import('@inquirer/prompts');
  const message = plainText(question);
  if (!(await confirm({ message, default: false }, { output: process.stderr })))
    throw new CommandFailure('Nothing was done.');
}
