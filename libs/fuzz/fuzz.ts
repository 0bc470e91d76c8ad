import fc from 'fast-check';

/** Repeats the inputs of an earlier run: the number that it printed. */
const SEED_VARIABLE = 'FUZZ_SEED';
/** How much is tried of what could be, such as 0.1. Default: all. */
const SHARE_VARIABLE = 'FUZZ_SHARE';

interface FuzzOptions {
  /** Inputs to try. Default: 300. */
  runs?: number;
}

/** How many of these rounds a test by chance makes: at least one. */
export const rounds = (all: number): number =>
  Math.max(1, Math.round(all * Number(process.env[SHARE_VARIABLE] ?? 1)));

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
  const numRuns = rounds(runs);
  console.log(`fuzzing the ${name}: ${SEED_VARIABLE}=${seed}, ${numRuns} inputs`);
  await fc.assert(property as fc.IAsyncPropertyWithHooks<Inputs>, { seed, numRuns });
}
