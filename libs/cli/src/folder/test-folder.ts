import type { Context } from '../context.js';
import { contextOf } from '../context.js';
import { type OwnOptions, ownOptions } from '../runs/own-options.js';
import type { InputSchema } from '../runs/input-values.js';
import { inputsOf } from '../runs/input-values.js';
import { startedRun } from '../runs/started-run.js';
import { namedInputs, typedInputs } from '../runs/typed-inputs.js';
import { uploaded } from '../runs/uploaded-files.js';
import { say } from '../terminal/say.js';
import { dim } from '../terminal/colours.js';
import { readDefinition } from './definition.js';
import { compareFolder, versionOf } from './folder-version.js';

/** Runs the folder as it stands: as a test run of a version that is not published. */
export default async function testFolder(context: Context<OwnOptions>): Promise<number> {
  const { own, rest } = ownOptions(context.args);
  const options = { ...context.options, ...own };
  const gatehouse = await contextOf([], options).gatehouse();
  const definition = await readDefinition('.');
  const version = await versionOf(gatehouse, await compareFolder(gatehouse, '.', definition));
  say(dim(`version ${version.number} of ${definition.slug}`));
  const schema = version.inputSchema as InputSchema;
  const named = [...(context.options.input ?? []), ...(own.input ?? [])];
  const inputs = await uploaded(
    gatehouse,
    await inputsOf([...namedInputs(named), ...typedInputs(rest, schema)], schema),
  );
  const { slug } = definition;
  return startedRun(
    gatehouse,
    (how) => gatehouse.runs.test(slug, version.number, inputs, { ...how, via: 'cli' }),
    options,
  );
}
