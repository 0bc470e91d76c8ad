import type { Settings } from '../core/config/index.js';
import {
  loadMasterKey,
  MasterKeyFile,
  MasterKeyRotationService,
  readNewMasterKey,
  RotationRefused,
  WorkspaceKeysRepository,
} from '../core/keys/index.js';
import { MasterKey } from '../core/crypto/index.js';
import { withApplication } from './application.js';

/** Gives a stopped instance another master key. */
export async function rotateMasterKey(
  settings: Settings,
  { newKeyFile }: { newKeyFile?: string },
): Promise<string> {
  const file = settings.masterKey ? null : new MasterKeyFile(settings.dataDirectory);
  if (file && (await file.read()) === null) {
    throw new RotationRefused(
      `There is no master key yet in ${settings.dataDirectory}: the first start makes one.`,
    );
  }
  const source = { environment: process.env, file: newKeyFile, mayBeMade: file !== null };
  const key = await readNewMasterKey(source);
  const next = new MasterKey(key);
  return withApplication(settings, { alongside: false }, async (app) => {
    const present = settings.masterKey
      ? new MasterKey(settings.masterKey)
      : await loadMasterKey(settings, app.get(WorkspaceKeysRepository));
    if (next.id === present.id) throw new RotationRefused('The new master key is the present one.');
    await file?.stage(key);
    const count = await app
      .get(MasterKeyRotationService)
      .rotate(present, next)
      .catch(async (error: unknown) => {
        // After any other error the change may have been committed, and the next start needs the staged key.
        if (error instanceof RotationRefused) await file?.discardStaged();
        throw error;
      });
    await file?.promote();
    return report(count, file);
  });
}

function report(count: number, file: MasterKeyFile | null): string {
  const todo = file
    ? [
        `The new master key is in ${file.path}. Back it up, and destroy the old one with its backups.`,
        'Processes on other machines need it as GATEHOUSE_MASTER_KEY before they start.',
      ]
    : [
        'Now set GATEHOUSE_MASTER_KEY to the new key, in the environment or the .env file of every process, before you',
        'start it: with the old key none starts. Then destroy the old key with its backups.',
      ];
  return [
    `The master key was changed: ${count} workspace ${count === 1 ? 'key is' : 'keys are'} sealed by the new one, and secrets are as they were.`,
    ...todo,
    'Links to files that were handed out before do not work any more. A request repeated with an Idempotency-Key of',
    'before is not carried out again; it is answered 422.',
  ].join('\n');
}
