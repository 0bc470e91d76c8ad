import { commandArguments } from '../../core/schema/command-arguments.js';

export interface InputsToRender {
  command: string;
  /** As JSON text. */
  inputs: string;
  /** Paths of the files in the box, by the name of the input. */
  filePaths: Record<string, string | string[]>;
}

export interface RenderedInputs {
  /** The command with the values of the inputs put in. */
  argv: string[];
  /** The content of the file that `GATEHOUSE_INPUTS` names: all inputs, with paths in place of files. */
  json: string;
}

/** Renders the inputs as the script gets them. Large ones are rendered in a thread. */
export function renderInputs({ command, inputs, filePaths }: InputsToRender): RenderedInputs {
  const values = JSON.parse(inputs) as Record<string, unknown>;
  const argv = commandArguments(command, values, filePaths);
  const hasFiles = Object.keys(filePaths).length > 0;
  return { argv, json: hasFiles ? JSON.stringify({ ...values, ...filePaths }) : inputs };
}
