import type { Settings } from '../../core/config/index.js';
import type { Answer } from '../answer.js';
import { examineBoxes } from './boxes.js';
import { examineDataDirectory, examineDisks } from './disks.js';
import { examined, type Finding } from './finding.js';
import { examineMachine } from './machine.js';
import {
  examineCollector,
  examineLogSink,
  examineModels,
  examineRegistries,
  examineSecretStores,
} from './outside.js';
import { examinePrograms } from './programs.js';
import {
  examineAddress,
  examineDatabase,
  examineMail,
  examineProviders,
  examineQueue,
  examineStorage,
} from './servers.js';

const INDENT = ' '.repeat(6);

/** Looks at everything that an instance with these settings needs of its machine and its servers. Sets the exit code. */
export async function doctor(settings: Settings): Promise<Answer> {
  const parts = await Promise.all([
    examined('machine', () => examineMachine(settings)),
    settings.runsScripts ? examined('sandbox', () => examineBoxes(settings)) : [],
    examined('programs', () => examinePrograms(settings)),
    examined('data directory', () => examineDataDirectory(settings)),
    examined('disk', () => examineDisks(settings)),
    examined('database', () => examineDatabase(settings)),
    examined('queue', () => examineQueue(settings)),
    examined('files', () => examineStorage(settings)),
    examined('mail', () => examineMail(settings)),
    examined('log sink', () => examineLogSink(settings)),
    examined('traces', () => examineCollector(settings)),
    examined('models', () => examineModels(settings)),
    settings.runsScripts ? examined('secret stores', () => examineSecretStores(settings)) : [],
    settings.runsScripts ? examined('registry', () => examineRegistries(settings)) : [],
    settings.servesApi ? examined('sign-in', () => examineProviders(settings)) : [],
    settings.servesApi ? examined('address', () => examineAddress(settings)) : [],
  ]);
  const findings = parts.flat();
  const isWell = findings.every(({ state }) => state !== 'fail');
  if (!isWell) process.exitCode = 1;
  return { text: findings.map(lines).join('\n'), value: { ok: isWell, findings } };
}

function lines({ state, name, found, cure }: Finding): string {
  const line = `${state.padEnd(INDENT.length)}${name}: ${found}`;
  return [line, ...(cure?.split('\n') ?? [])].join(`\n${INDENT}`);
}
