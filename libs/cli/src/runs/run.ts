import type { ScriptDetail, StartOptions } from '@gatehouse/client';

import { type Context, contextOf } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { inputHelp } from './input-help.js';
import { type InputSchema, inputsOf } from './input-values.js';
import { labelsOf } from './label-options.js';
import { type OwnOptions, ownOptions } from './own-options.js';
import { plainSchema } from './plain-schema.js';
import { retryOf } from './retry-option.js';
import { startedRun } from './started-run.js';
import { turnOf } from './turn-options.js';
import { namedInputs, typedInputs } from './typed-inputs.js';
import { uploaded } from './uploaded-files.js';

export default async function run(context: Context<OwnOptions>): Promise<number | void> {
  const [slug = '', ...words] = context.args;
  if (slug === '-h' || slug === '--help') {
    console.log('Usage: gatehouse run SCRIPT [--NAME VALUE …]\n\nIts inputs: gatehouse run SCRIPT --help');
    return;
  }
  const { own, rest } = ownOptions(words);
  const options = { ...context.options, ...own };
  const retry = retryOf(options.retry);
  const turn = turnOf(options);
  const labels = labelsOf([...(context.options.label ?? []), ...(own.label ?? [])]);
  const gatehouse = await contextOf([], options).gatehouse();
  const script = await gatehouse.scripts.get(slug);
  if (options.help) return console.log(inputHelp(script));
  const schema = schemaOf(script);
  const typed = [
    ...namedInputs([...(context.options.input ?? []), ...(own.input ?? [])]),
    ...typedInputs(rest, schema),
  ];
  const inputs = await uploaded(gatehouse, await inputsOf(typed, schema));
  const start = (how: StartOptions) =>
    gatehouse.runs.start(slug, inputs, {
      ...how,
      ...turn,
      via: 'cli',
      ...(options.plan && { plan: true }),
      ...(retry !== undefined && { retry }),
      ...(labels && { labels }),
    });
  return startedRun(gatehouse, start, options);
}

function schemaOf({ slug, status, inputSchema }: ScriptDetail): InputSchema {
  if (status === 'published') return plainSchema(inputSchema);
  throw new WrongUse(`${slug} is ${status}, so it cannot run.`);
}
