import { type Command, InvalidArgumentError } from 'commander';

import { command } from './command.js';

const KEY_FILE = [
  '--key-file <file>',
  'the key that it is encrypted with (-: standard input); `backup-key` makes one',
] as const;
const ID = ['--backup <id>', 'which one of the directory; without, the last'] as const;

export function addBackupCommands(program: Command): void {
  command(
    program,
    'backup-key <file>',
    'make a key file for backups, and print its public key; a file of only that is enough to make them',
    async () => (await import('../backup/backup-key.js')).makeBackupKey,
  );
  command(
    program,
    'backup <directory>',
    'write a backup of database, files and master key while the instance runs, to a directory, which holds many and gets ' +
      'only new files, or to standard output (-)',
    async () => (await import('../backup/backup.js')).backup,
  )
    .requiredOption(...KEY_FILE)
    .option('--keep <count>', 'delete the oldest of the directory beyond so many', count);
  command(
    program,
    'verify-backup <directory>',
    'restore a backup into a database that is thrown away, open a secret of each workspace and read every file',
    async () => (await import('../backup/verify-backup.js')).verifyBackup,
  )
    .requiredOption(...KEY_FILE)
    .option(...ID);
  command(
    program,
    'restore <directory>',
    'restore a backup into the empty database and the place for files of the settings',
    async () => (await import('../backup/restore.js')).restore,
  )
    .requiredOption(...KEY_FILE)
    .option(...ID);
  command(
    program,
    'resume',
    'have a restored copy fire schedules and triggers, send webhooks and mails, and start runs',
    async () => (await import('../backup/resume.js')).resume,
  );
  command(
    program,
    'move-database',
    'copy the database of a stopped instance to the empty one of GATEHOUSE_NEW_DATABASE_URL',
    async () => (await import('../backup/move-database.js')).moveDatabase,
  );
  command(
    program,
    'rehearse-upgrade',
    'copy the database and upgrade the copy: how long that takes, and what it locks',
    async () => (await import('../backup/rehearse-upgrade.js')).rehearseUpgrade,
  );
}

function count(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is the number of backups that stay, from 1 to 9999.');
}
