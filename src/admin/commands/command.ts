import type { Command } from 'commander';

import { Settings } from '../../core/config/index.js';
import type { Answer } from '../answer.js';

/**
 * What a command does, loaded when it is used: with the settings, and its arguments and options as they are declared.
 * Without an answer it has said by itself what there is to say.
 */
type Load = () => Promise<(settings: Settings, ...given: never[]) => Promise<Answer | string | null>>;

/** A command of the program, or of a group of it. */
export function command(parent: Command, usage: string, description: string, load: Load): Command {
  return parent
    .command(usage)
    .description(description)
    .action(async (...given: unknown[]) => {
      const settings = new Settings(process.env);
      const self = given.pop() as Command;
      const answer = await (await load())(settings, ...(given as never[]));
      if (answer === null) return;
      const { text, value } = typeof answer === 'string' ? { text: answer, value: null } : answer;
      console.log(self.opts()['json'] ? JSON.stringify(value, null, 2) : text);
    });
}

/** Of those whose answer is of use to a program as well. */
export const withJson = (made: Command): Command => made.option('--json', 'print JSON');
