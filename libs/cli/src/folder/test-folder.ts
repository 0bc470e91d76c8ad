import type { Context } from '../context.js';
import { contextOf } from '../context.js';
import { type OwnOptions, ownOptions } from '../runs/own-options.js';
import { startedRun } from '../runs/started-run.js';
import { readDefinition } from './definition.js';
import { folderFiles } from './folder-files.js';
import { makeTrial } from './make-trial.js';
import { packFolder } from './pack-folder.js';
import { trialInputs } from './trial-inputs.js';

/** Runs the folder as it stands, as a trial: no version comes of it. */
export default async function testFolder(context: Context<OwnOptions>): Promise<number> {
  const { own, rest } = ownOptions(context.args);
  const options = { ...context.options, ...own };
  const gatehouse = await contextOf([], options).gatehouse();
  const definition = await readDefinition('.');
  const { bytes } = await packFolder('.', await folderFiles('.', definition.ignore));
  const trial = await makeTrial(gatehouse, definition, bytes);
  const named = [...(context.options.input ?? []), ...(own.input ?? [])];
  const inputs = await trialInputs(gatehouse, trial, { named, words: rest });
  const { slug } = definition;
  return startedRun(
    gatehouse,
    (how) => gatehouse.runs.tryOut(slug, trial.id, inputs, { ...how, via: 'cli' }),
    options,
  );
}
