import type { Settings } from '../../core/config/index.js';
import { CommandRefused } from '../command-refused.js';
import type { StoredPlace } from './places.js';

export const BACKUP_USAGE = `
  backup-key FILE
      Makes a key file for backups, and prints its public key. A file of only that is enough to make them.

  backup DIR|- --key-file FILE [--keep COUNT]
      Writes a backup of database, files and master key while the instance runs, encrypted with the key of FILE (- for
      standard input). A directory holds many, and only new files are added to it; with COUNT, the oldest are deleted.
      - instead of a directory is standard output.

  verify-backup DIR|- --key-file FILE [--backup ID]
      Restores a backup, by default the last one, into a database that is thrown away, opens a secret of each
      workspace and reads every file.

  restore DIR|- --key-file FILE [--backup ID]
      Restores a backup into the empty database and the place for files of the settings.

  resume
      Has a restored copy fire schedules and triggers, send webhooks and mails, and start runs.

  move-database
      Copies the database of a stopped instance to the empty one of GATEHOUSE_NEW_DATABASE_URL.

  rehearse-upgrade
      Copies the database and upgrades the copy: how long that takes, and what it locks.`;

/** Those of all of the operator's commands that these take. */
export type BackupOptions = Partial<Record<'key-file' | 'keep' | 'backup', string>>;

interface Command {
  parameters: readonly number[];
  options: (keyof BackupOptions)[];
  run(settings: Settings, parameters: string[], options: BackupOptions): Promise<string>;
}

/** Each loads its part of the application only when it is carried out. */
export const BACKUP_COMMANDS: Record<string, Command> = {
  'backup-key': {
    parameters: [1],
    options: [],
    run: async (_, [file]) => (await import('./backup-key.js')).makeBackupKey(file!),
  },
  backup: {
    parameters: [1],
    options: ['key-file', 'keep'],
    run: async (settings, [into], options) => {
      const { backup } = await import('./backup.js');
      return backup(settings, { into: into!, keyFile: keyFile(options), keep: count(options.keep) });
    },
  },
  'verify-backup': {
    parameters: [1],
    options: ['key-file', 'backup'],
    run: async (settings, [from], options) =>
      (await import('./verify-backup.js')).verifyBackup(settings, placeOf(from!, options)),
  },
  restore: {
    parameters: [1],
    options: ['key-file', 'backup'],
    run: async (settings, [from], options) =>
      (await import('./restore.js')).restore(settings, placeOf(from!, options)),
  },
  resume: {
    parameters: [0],
    options: [],
    run: async (settings) => (await import('./resume.js')).resume(settings),
  },
  'move-database': {
    parameters: [0],
    options: [],
    run: async (settings) => (await import('./move-database.js')).moveDatabase(settings),
  },
  'rehearse-upgrade': {
    parameters: [0],
    options: [],
    run: async (settings) => (await import('./rehearse-upgrade.js')).rehearseUpgrade(settings),
  },
};

function placeOf(from: string, options: BackupOptions): StoredPlace {
  const place = { from, keyFile: keyFile(options), id: options.backup };
  if (place.from !== place.keyFile) return place;
  throw new CommandRefused('The backup and its key are two: name a file for one of them.');
}

function keyFile({ 'key-file': file }: BackupOptions): string {
  if (file !== undefined) return file;
  throw new CommandRefused(
    'A backup is encrypted: name the key file with --key-file. `npm run admin -- backup-key FILE` makes one.',
  );
}

function count(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new CommandRefused('--keep takes the number of backups that stay, from 1 to 9999.');
}
