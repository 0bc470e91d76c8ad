import { join } from 'node:path';

import type { SandboxOptions } from '../../../libs/sandbox/index.js';
import type { Settings } from '../../core/config/index.js';

const MiB = 1024 * 1024;

/** How a worker with these settings opens its sandbox. */
export function sandboxOptionsOf(settings: Settings): SandboxOptions {
  return {
    cgroupName: 'gatehouse',
    nodePath: settings.nodePath,
    maxSlots: settings.runConcurrency,
    warmSlots: Math.min(settings.runConcurrency, 8),
    warmInterpreters: settings.warmInterpreters,
    templates: settings.templates && { memoryBytes: settings.templateMemoryMb * MiB },
    kept: settings.keptMemoryMb > 0 && { memoryBytes: settings.keptMemoryMb * MiB },
    stateDirectory: join(settings.dataDirectory, 'boxes'),
  };
}
