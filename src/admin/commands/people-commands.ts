import type { Command } from 'commander';

import { command, withJson } from './command.js';

const users = () => import('../users.js');
const workspaces = () => import('../workspaces.js');
const PASSWORD_FILE = [
  '--password-file <file>',
  'it is in this file, or comes by standard input (-); without, one is made up and printed once',
] as const;

export function addPeopleCommands(program: Command): void {
  addUserCommands(program.command('users').description('list, make, disable and enable accounts'));
  addWorkspaceCommands(
    program.command('workspaces').description('list, make, disable and enable workspaces, and make owners'),
  );
  command(
    program,
    'reset-password <email>',
    'give an account a new password, and end its sessions',
    async () => (await import('../reset-password.js')).resetPassword,
  ).option(...PASSWORD_FILE);
  command(
    program,
    'set-plan <workspace> <plan>',
    'give the workspace of that slug another plan of GATEHOUSE_PLANS',
    async () => (await import('../set-plan.js')).setPlan,
  );
}

function addUserCommands(group: Command): void {
  const list = 'list accounts, or those whose address or name has PART in it';
  withJson(command(group, 'list [part]', list, async () => (await users()).listUsers));
  withJson(
    command(group, 'make <email>', 'make an account with a password', async () => (await users()).makeUser),
  )
    .option('--name <name>', 'what the person is called')
    .option(...PASSWORD_FILE);
  withJson(
    command(
      group,
      'disable <email>',
      'end all that acts for the person, take them out of every workspace, and let nobody sign in as them',
      async () => (await users()).disableUser,
    ),
  );
  withJson(
    command(
      group,
      'enable <email>',
      'let somebody sign in again; they come back to workspaces by invitation',
      async () => (await users()).enableUser,
    ),
  );
}

function addWorkspaceCommands(group: Command): void {
  const list = 'list workspaces, or those whose slug or name has PART in it';
  withJson(command(group, 'list [part]', list, async () => (await workspaces()).listWorkspaces));
  withJson(
    command(
      group,
      'make <slug> <owner-email>',
      'make a workspace for somebody with an account',
      async () => (await workspaces()).makeWorkspace,
    ),
  ).option('--name <name>', 'what it is called');
  withJson(
    command(
      group,
      'disable <slug>',
      'do what its deletion does: nobody gets in, nothing starts, and its API keys and apps end',
      async () => (await workspaces()).disableWorkspace,
    ),
  );
  withJson(
    command(
      group,
      'enable <slug>',
      'open it again, or one that an owner deleted',
      async () => (await workspaces()).enableWorkspace,
    ),
  );
  withJson(
    command(
      group,
      'make-owner <slug> <email>',
      'make somebody with an account an owner',
      async () => (await workspaces()).makeOwner,
    ),
  );
}
