import fc from 'fast-check';

/** Repeats the inputs of an earlier run: the number that it printed. */
const SEED_VARIABLE = 'FUZZ_SEED';

interface FuzzOptions {
  /** Inputs to try. Default: 300. */
  runs?: number;
}

/**
 * Holds a property against generated inputs. The seed is printed, and an input that breaks it is shrunk and shown with the
 * failure; `FUZZ_SEED=<number>` tries the same inputs again.
 *
 * @param name of what is fuzzed, for the line with the seed
 * @throws Error with the smallest input that was found to break it
 * @example
 * await fuzz('cron reader', fc.asyncProperty(fc.string(), async (text) => read(text)));
 */
export async function fuzz<Inputs>(
  name: string,
  property: fc.IAsyncPropertyWithHooks<Inputs> | fc.IPropertyWithHooks<Inputs>,
  { runs = 300 }: FuzzOptions = {},
): Promise<void> {
  const given = process.env[SEED_VARIABLE];
  const seed = given === undefined ? Math.trunc(Math.random() * 0x7fff_ffff) : Number(given);
  console.log(`fuzzing the ${name}: ${SEED_VARIABLE}=${seed}, ${runs} inputs`);
  await fc.assert(property as fc.IAsyncPropertyWithHooks<Inputs>, { seed, numRuns: runs });
}
