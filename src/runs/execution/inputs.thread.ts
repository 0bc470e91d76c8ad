import { commandArguments } from '../../core/schema/command-arguments.js';

export interface InputsToRender {
  command: string;
  /** As JSON text. */
  inputs: string;
  /** Where files lie in the box, by input. */
  filePaths: Record<string, string | string[]>;
}

export interface RenderedInputs {
  /** The command of the run. */
  argv: string[];
  /** All inputs, files as their paths, as the script finds them in `GATEHOUSE_INPUTS`. */
  json: string;
}

/** What a script is given of its inputs. Done in a thread where they are much. */
export function renderInputs({ command, inputs, filePaths }: InputsToRender): RenderedInputs {
  const values = JSON.parse(inputs) as Record<string, unknown>;
  const argv = commandArguments(command, values, filePaths);
  const hasFiles = Object.keys(filePaths).length > 0;
  return { argv, json: hasFiles ? JSON.stringify({ ...values, ...filePaths }) : inputs };
}
