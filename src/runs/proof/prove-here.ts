import { mkdir } from 'node:fs/promises';

import { GateProcess } from '../../../libs/egress/index.js';
import { openStateDirectory, removeTree, Sandbox } from '../../../libs/sandbox/index.js';
import type { Settings } from '../../core/config/index.js';
import { sandboxOptionsOf } from '../execution/sandbox-of-worker.js';
import { type ProofReport, reportOf } from './proof-report.js';
import { secretsOf } from './secrets-of.js';
import { tryWalls } from './try-walls.js';

/** An attack beside its neighbour, twice. */
const FEWEST_PLACES = 4;

/**
 * Tries every wall in a sandbox and with a gate of its own, which are opened as a worker with these settings opens them.
 * It is one process beside those that run, and asks no database.
 *
 * @throws SandboxUnavailable
 */
export async function proveHere(settings: Settings, environment: NodeJS.ProcessEnv): Promise<ProofReport> {
  const startedAt = new Date();
  const options = sandboxOptionsOf(settings);
  const places = Math.max(settings.runConcurrency, FEWEST_PLACES);
  const secrets = await secretsOf(settings, environment);
  await mkdir(settings.dataDirectory, { recursive: true, mode: 0o700 });
  // Whoever opens a sandbox here later removes it, should this process be killed.
  const folder = await openStateDirectory(options.stateDirectory!);
  try {
    // What stays or is forked is for scripts that run often, and none of these does.
    const open = (): Promise<Sandbox> =>
      Sandbox.open({ ...options, maxSlots: places, warmSlots: 1, templates: false, kept: false });
    const sandbox = await open();
    try {
      const gates = await GateProcess.start();
      try {
        const parts = { settings, sandbox, gates, folder, secrets, openAnother: open };
        const walls = await tryWalls(parts, { places });
        return reportOf({ settings, sandbox, startedAt, walls });
      } finally {
        await gates.close();
      }
    } finally {
      await sandbox.close();
    }
  } finally {
    await removeTree(folder);
  }
}
