import type { ErrorGroup, Gatehouse } from '@gatehouse/client';

import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { endOf } from '../general/moment.js';
import { first } from '../output/first.js';
import { type Column, printList, printOne } from '../output/print.js';

const STATUSES: readonly ErrorGroup['status'][] = ['open', 'resolved', 'ignored'];

const DETAILS: readonly Column<ErrorGroup>[] = [
  ['Error', ({ id }) => id],
  ['Title', ({ title }) => title],
  ['Place', ({ place }) => place],
  ['Script', ({ script, version }) => `${script.slug}, version ${version}`],
  ['Environment', ({ environment }) => environment],
  ['Status', ({ status }) => status],
  ['Ignored until', ({ ignoreUntil }) => ignoreUntil],
  ['Runs', ({ count }) => count],
  ['First', ({ firstAt }) => firstAt],
  ['Last', ({ lastAt }) => lastAt],
  ['Latest run', ({ latestRunId }) => latestRunId],
  ['Sample', ({ sample }) => sample],
];

interface ListOptions {
  limit: string;
  script?: string;
  status?: string;
}

export async function list({ options, gatehouse }: Context<ListOptions>): Promise<void> {
  const { limit, script } = options;
  const status = STATUSES.find((known) => known === options.status);
  if (options.status !== undefined && !status)
    throw new WrongUse(`"${options.status}" is no status of an error.`, `There are: ${STATUSES.join(', ')}`);
  const pages = (await gatehouse()).errors.list({
    ...(script !== undefined && { script }),
    ...(status && { status }),
    // A page is no larger than what is shown.
    limit: Math.min(Math.max(Number(limit) || 1, 1), 100),
  });
  await printList(await first(pages, limit), options, [
    ['id', ({ id }) => id],
    ['script', (error) => error.script.slug],
    ['environment', ({ environment }) => environment],
    ['status', (error) => error.status],
    ['runs', ({ count }) => count],
    ['last', ({ lastAt }) => lastAt],
    ['title', ({ title }) => title],
  ]);
}

type Act<Options> = (gatehouse: Gatehouse, id: string, options: Options) => Promise<ErrorGroup>;

/** A command about one error, which prints it. */
const about =
  <Options extends object>(act: Act<Options>) =>
  async ({ args, options, gatehouse }: Context<Options>): Promise<void> =>
    printOne(await act(await gatehouse(), args[0]!, options), options, DETAILS);

export const show = about(({ errors }, id) => errors.get(id));
export const resolve = about(({ errors }, id) => errors.resolve(id));
export const reopen = about(({ errors }, id) => errors.reopen(id));
export const ignore = about<{ until?: string }>(({ errors }, id, { until }) =>
  errors.ignore(id, { until: until === undefined ? null : endOf('--until', until) }),
);
