import type { Command } from 'commander';

import { command, withJson } from './command.js';

const users = () => import('../users.js');
const workspaces = () => import('../workspaces.js');
const clients = () => import('../clients.js');
const PASSWORD_FILE = [
  '--password-file <file>',
  'it is in this file, or comes by standard input (-); without, one is made up and printed once',
] as const;

export function addPeopleCommands(program: Command): void {
  addUserCommands(
    program
      .command('users')
      .description('list, make, disable and enable accounts, and take second factors away'),
  );
  addWorkspaceCommands(
    program.command('workspaces').description('list, make, disable and enable workspaces, and make owners'),
  );
  addClientCommands(
    program
      .command('clients')
      .description('list, add and remove apps that people may connect without their registering'),
  );
  command(
    program,
    'reset-password <email>',
    'give an account a new password, and end its sessions',
    async () => (await import('../reset-password.js')).resetPassword,
  ).option(...PASSWORD_FILE);
  withJson(
    command(
      program,
      'sign-in-link <email>',
      'make a link that signs in to an account once, within 15 minutes, and tell the owners',
      async () => (await import('../sign-in-link.js')).makeSignInLink,
    ),
  );
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
  withJson(
    command(
      group,
      'remove-factors <email>',
      'take the second factors of somebody away who has lost them, and end their sessions',
      async () => (await users()).removeFactors,
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

function addClientCommands(group: Command): void {
  withJson(
    command(group, 'list', 'list the apps that were added', async () => (await clients()).listClients),
  );
  withJson(
    command(
      group,
      'add <name>',
      'add an app, and print its client id',
      async () => (await clients()).addClient,
    ),
  )
    .requiredOption(
      '--redirect <uri...>',
      'where it takes the consent: https:, http: of this computer, or its own scheme',
    )
    .option(
      '--secret',
      'give it a secret, which is printed once and which it has to show (client_secret_post)',
    );
  withJson(
    command(
      group,
      'remove <client-id>',
      'take an app away, and end what people granted it',
      async () => (await clients()).removeClient,
    ),
  );
}
