import { Argument, type Command, InvalidArgumentError } from 'commander';

import { command, withJson } from './command.js';

const MOST_MINUTES = 24 * 60;

export function addInstanceCommands(program: Command): void {
  withJson(
    command(
      program,
      'doctor',
      'look at the machine, the disks and every server that the settings name, and say of each how it is and what to do; ' +
        'the exit code is 1 where something has to be done',
      async () => (await import('../doctor/doctor.js')).doctor,
    ),
  );
  withJson(
    command(
      program,
      'prove',
      "attack boxes that are made as the worker's of these settings, here and now, and say which walls hold; the exit code is 1 where one does not that " +
        'can be here',
      async () => (await import('../proof/prove.js')).prove,
    ),
  )
    .option('--output <file>', 'write the report there as well, signed by a key of the master key')
    .option(
      '--verify <file>',
      'attack nothing, and say whether the report in this file is whole and of this installation',
    );
  withJson(
    command(
      program,
      'schema',
      'list which migrations the database has had; changes nothing',
      async () => (await import('../schema.js')).schema,
    ),
  );
  withJson(
    command(
      program,
      'sizes',
      'say what tables and files have grown to: by table, workspace and age, and for each thousand runs',
      async () => (await import('../sizes.js')).sizes,
    ),
  );
  withJson(
    command(
      program,
      'log-level',
      'have all processes log more for a while, or as GATEHOUSE_LOG_LEVEL says again (usual); without a level, say what is so',
      async () => (await import('../log-level.js')).logLevel,
    ),
  )
    .addArgument(new Argument('[level]').choices(['info', 'debug', 'usual']))
    .option('--workspace <slug>', 'only of this workspace')
    .option('--minutes <number>', 'for how long', minutes, 15);
  command(
    program,
    'rotate-master-key',
    'give the instance another master key while it is stopped: GATEHOUSE_NEW_MASTER_KEY, or one that is made up where the ' +
      'key is kept in the data directory',
    async () => (await import('../rotate-master-key.js')).rotateMasterKey,
  ).option('--new-key-file <file>', 'it is in this file, or comes by standard input (-)');
  const extensions = () => import('../extensions.js');
  const group = command(
    program,
    'extensions',
    'load the extensions of GATEHOUSE_EXTENSIONS as a start does, and list them; `extensions diff` writes a migration, and `extensions remove` undoes what one has made',
    async () => (await extensions()).listExtensions,
  );
  command(
    group,
    'diff <name>',
    'print a migration, in TypeScript, of what the entities of one have and its tables lack; changes nothing',
    async () => (await extensions()).diffExtension,
  );
  command(
    group,
    'remove <name>',
    'undo the migrations of one while the instance is stopped: its tables are dropped with all that is in them',
    async () => (await extensions()).removeExtension,
  );
}

function minutes(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= MOST_MINUTES) return number;
  throw new InvalidArgumentError(`It is a whole number from 1 to ${MOST_MINUTES}.`);
}
