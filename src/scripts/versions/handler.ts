import { parseCommand, renderCommand } from '../../../libs/command/index.js';
import { InvalidRequest } from '../../core/errors/index.js';

const ENDINGS: Readonly<Record<string, RegExp>> = {
  node: /\.[cm]?[jt]s$/,
  python: /\.py$/,
  python3: /\.py$/,
};
const PLAIN_PATH = /^(?!.*(?:^|\/)\.{1,2}(?:\/|$))[\w.][\w.@+/-]*$/;

/**
 * Whether a version's command only names the file whose function is called for each run.
 *
 * @throws InvalidRequest where it is to be, and the command does anything else
 */
export function parseHandler(wanted: boolean | undefined, command: string): boolean {
  if (wanted !== true) return false;
  const template = parseCommand(command);
  const isPlain = template.tokens.every(({ kind }) => kind === 'text' || kind === 'break');
  const [interpreter = '', file = '', ...rest] = isPlain ? renderCommand(template, {}) : [];
  if (rest.length === 0 && PLAIN_PATH.test(file) && ENDINGS[interpreter]?.test(file)) return true;
  throw InvalidRequest.at(
    'handler',
    `needs a command of an interpreter and a file, such as node main.mjs or python main.py, and not ${command}`,
  );
}
