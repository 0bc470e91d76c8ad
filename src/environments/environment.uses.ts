/** How many things there are in an environment. */
export interface EnvironmentUses {
  secretValues: number;
  schedules: number;
  triggers: number;
  hooks: number;
  endpoints: number;
  boundKeys: number;
  openRuns: number;
}

/** Secret values are deleted with the environment; everything else must be deleted before it. */
const HOLDERS: readonly [Exclude<keyof EnvironmentUses, 'secretValues'>, singular: string, plural: string][] =
  [
    ['schedules', 'schedule', 'schedules'],
    ['triggers', 'trigger', 'triggers'],
    ['hooks', 'hook', 'hooks'],
    ['endpoints', 'webhook endpoint', 'webhook endpoints'],
    ['boundKeys', 'API key bound to it', 'API keys bound to it'],
    ['openRuns', 'run that is not finished', 'runs that are not finished'],
  ];

/** What keeps an environment from being deleted, in words, or null. */
export function whatHolds(uses: EnvironmentUses): string | null {
  const held = HOLDERS.filter(([use]) => uses[use] > 0).map(
    ([use, singular, plural]) => `${uses[use]} ${uses[use] === 1 ? singular : plural}`,
  );
  const last = held.pop();
  if (last === undefined) return null;
  return held.length === 0 ? last : `${held.join(', ')} and ${last}`;
}
