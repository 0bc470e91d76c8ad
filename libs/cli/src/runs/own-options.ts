import { WrongUse } from '../failure/command-failure.js';
import type { JsonOptions } from '../output/fields.js';

/** Options of the command itself: they may stand behind the script's name as well, among its inputs. */
export interface OwnOptions extends JsonOptions {
  plan?: true;
  wait?: true;
  detach?: true;
  help?: true;
  input?: string[];
  label?: string[];
  retry?: string;
  'start-at'?: string;
  'expires-at'?: string;
  priority?: string;
  env?: string;
  workspace?: string;
  url?: string;
  profile?: string;
}

const FLAGS = ['plan', 'wait', 'detach', 'help'] as const;
const VALUES = [
  'retry',
  'start-at',
  'expires-at',
  'priority',
  'env',
  'workspace',
  'url',
  'profile',
  'jq',
] as const;
const SHORT: Readonly<Record<string, string>> = {
  '-h': '--help',
  '-e': '--env',
  '-w': '--workspace',
  '-q': '--jq',
};

/**
 * Takes the command's own options out of the words behind the script's name. An input that is called like one of them is
 * given by `--input NAME=VALUE`.
 */
export function ownOptions(words: readonly string[]): { own: OwnOptions; rest: string[] } {
  const own: OwnOptions = {};
  const rest: string[] = [];
  for (let place = 0; place < words.length; place++) {
    const word = SHORT[words[place]!] ?? words[place]!;
    const [, name = '', value] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(word) ?? [];
    const next = (): string => {
      const given = value ?? words[++place];
      if (given === undefined) throw new WrongUse(`--${name} needs a value.`);
      return given;
    };
    const flag = FLAGS.find((known) => known === name);
    const option = VALUES.find((known) => known === name);
    if (flag) own[flag] = true;
    else if (option) own[option] = next();
    else if (name === 'json') own.json = value ?? true;
    else if (name === 'input' || name === 'label') own[name] = [...(own[name] ?? []), next()];
    else rest.push(word);
  }
  return { own, rest };
}
