import { parseCommand, renderCommand } from '../../../libs/command/index.js';

const ADVICE =
  'let the script read it from the file that the environment variable GATEHOUSE_INPUTS names, which holds all inputs as JSON, instead of taking it in the command';

/**
 * The arguments of a run: a version's command with the run's inputs filled in.
 *
 * @param filePaths where the files given as inputs lie in the box, by input
 * @throws InvalidInput where a value cannot be an argument
 */
export function commandArguments(
  command: string,
  inputs: Readonly<Record<string, unknown>>,
  filePaths: Readonly<Record<string, string | readonly string[]>> = {},
): string[] {
  return renderCommand(parseCommand(command), inputs, { filePaths, advice: ADVICE });
}
