import { ConflictError, type Gatehouse, NotFoundError, type Trial } from '@gatehouse/client';

import type { Definition } from './definition.js';

/** A trial of a folder. Where there is no such script yet, it is made, since runs are a script's. */
export async function makeTrial(
  gatehouse: Gatehouse,
  { slug, settings, version }: Definition,
  archive: Buffer,
  options: { signal?: AbortSignal } = {},
): Promise<Trial> {
  const { readme: _, ...parts } = version;
  const make = (): Promise<Trial> => gatehouse.trials.create(slug, { ...parts, archive }, options);
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
  try {
    const { name, description } = settings;
    await gatehouse.scripts.create({ slug, name, ...(description !== undefined && { description }) });
  } catch (error) {
    // It is there, so it was something else that was not found.
    if (!(error instanceof ConflictError)) throw error;
  }
  return make();
}
