import type { Environment, EnvironmentDetail } from '@gatehouse/client';

import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { type Column, printOne } from '../output/print.js';
import { green } from '../terminal/colours.js';
import { type DeletionOptions, confirmDeletion } from '../terminal/confirm-deletion.js';
import { say } from '../terminal/say.js';

interface PolicyOptions {
  approval?: string;
  agents?: boolean;
  runsOn?: string;
}

interface UpdateOptions extends PolicyOptions {
  rename?: string;
  default?: true;
}

const POLICIES: readonly Environment['approvalPolicy'][] = ['none', 'agents', 'always'];

const COLUMNS: readonly Column<Environment>[] = [
  ['Environment', ({ name }) => name],
  ['Id', ({ id }) => id],
  ['Default', ({ isDefault }) => (isDefault ? 'yes' : 'no')],
  ['Approval', ({ approvalPolicy }) => approvalPolicy],
  ['Runs on', ({ runsOn }) => runsOn.join(', ') || 'as versions say'],
  ['Agents', ({ agentsAllowed }) => (agentsAllowed ? 'allowed' : 'no')],
];

const DETAILS: readonly Column<EnvironmentDetail>[] = [
  ...COLUMNS,
  [
    'Used by',
    ({ usage }) => `${usage.secretValues} secrets, ${usage.schedules} schedules, ${usage.triggers} triggers`,
  ],
];

export async function view({ args, options, gatehouse }: Context): Promise<void> {
  await printOne(await (await gatehouse()).environments.get(args[0]!), options, DETAILS);
}

export async function create({ args, options, gatehouse }: Context<PolicyOptions>): Promise<void> {
  const input = { name: args[0]!, ...policiesOf(options) };
  await printOne(await (await gatehouse()).environments.create(input), options, COLUMNS);
}

export async function update({ args, options, gatehouse }: Context<UpdateOptions>): Promise<void> {
  const { rename, default: isDefault } = options;
  const patch = {
    ...policiesOf(options),
    ...(rename !== undefined && { name: rename }),
    ...(isDefault && { isDefault }),
  };
  if (Object.keys(patch).length === 0) {
    throw new WrongUse('What is to change?', `See: gatehouse env update --help`);
  }
  await printOne(await (await gatehouse()).environments.update(args[0]!, patch), options, COLUMNS);
}

export async function remove({ args, options, gatehouse }: Context<DeletionOptions>): Promise<void> {
  const { environments } = await gatehouse();
  const { id, name, usage } = await environments.get(args[0]!);
  await confirmDeletion(`Delete ${name} and its ${usage.secretValues} values of secrets?`, options);
  await environments.delete(id);
  say(`${green('✓')} ${name} is deleted.`);
}

function policiesOf({ approval, agents, runsOn }: PolicyOptions) {
  const approvalPolicy = POLICIES.find((known) => known === approval);
  if (approval !== undefined && approvalPolicy === undefined) {
    throw new WrongUse(`"${approval}" is no approval policy.`, `There are: ${POLICIES.join(', ')}`);
  }
  return {
    ...(approvalPolicy !== undefined && { approvalPolicy }),
    ...(agents !== undefined && { agentsAllowed: agents }),
    ...(runsOn !== undefined && { runsOn: tagsIn(runsOn) }),
  };
}

/** Separated by commas; nothing: none. */
function tagsIn(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}
