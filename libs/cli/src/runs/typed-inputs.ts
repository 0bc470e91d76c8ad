import { WrongUse } from '../failure/command-failure.js';
import { parted } from '../general/given-fields.js';
import { type InputSchema, type TypedInput, isOf } from './input-values.js';

/** The inputs in `--city Berlin --count=3 --verbose`. Of a yes or no, the name is enough. */
export function typedInputs(words: readonly string[], schema: InputSchema): TypedInput[] {
  const inputs: TypedInput[] = [];
  for (let place = 0; place < words.length; place++) {
    const [, name, value] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(words[place]!) ?? [];
    if (name === undefined) throw new WrongUse(`What is "${words[place]}"?`, 'Give inputs as --NAME VALUE.');
    const field = schema.properties?.[name];
    const next = words[place + 1];
    if (value !== undefined) inputs.push([name, value]);
    else if (next === undefined || (field && isOf(field, 'boolean') && !/^(true|false)$/.test(next))) {
      inputs.push([name, true]);
    } else {
      inputs.push([name, next]);
      place += 1;
    }
  }
  return inputs;
}

/** Those of `--input NAME=VALUE`. */
export function namedInputs(texts: readonly string[]): TypedInput[] {
  return texts.map(parted);
}
