import { existsSync } from 'node:fs';
import { arch, release } from 'node:os';

import type { Sandbox } from '../../../libs/sandbox/index.js';
import { type Settings, VERSION } from '../../core/config/index.js';
import type { WallResult, WallState } from './wall.js';

/** What was proven, where and when. Nothing in it is a secret. */
export interface ProofReport {
  format: 1;
  version: string;
  /** The address that this installation is reached by, as its settings have it. */
  baseUrl: string;
  startedAt: string;
  durationMs: number;
  machine: {
    kernel: string;
    architecture: string;
    /** Whether it is a container, and of which engine. */
    engine: 'none' | 'docker' | 'podman' | 'kubernetes';
    limits: Sandbox['limits'];
    users: Sandbox['boxUsers'];
  };
  /** Those that walls depend on. */
  settings: {
    runConcurrency: number;
    nodePath: string;
    warmInterpreters: boolean;
    templates: boolean;
    keptMemoryMb: number;
    outboundAllow: string[];
  };
  walls: WallResult[];
  sums: Record<WallState, number>;
}

interface Proven {
  settings: Settings;
  sandbox: Pick<Sandbox, 'limits' | 'boxUsers'>;
  startedAt: Date;
  walls: WallResult[];
}

export function reportOf({ settings, sandbox, startedAt, walls }: Proven): ProofReport {
  const { baseUrl, runConcurrency, nodePath, warmInterpreters, templates, keptMemoryMb, outboundAllow } =
    settings;
  return {
    format: 1,
    version: VERSION,
    baseUrl,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    machine: {
      kernel: `Linux ${release()}`,
      architecture: arch(),
      engine: engine(),
      limits: sandbox.limits,
      users: sandbox.boxUsers,
    },
    settings: { runConcurrency, nodePath, warmInterpreters, templates, keptMemoryMb, outboundAllow },
    walls,
    sums: {
      held: count(walls, 'held'),
      'not-held': count(walls, 'not-held'),
      'cannot-be-here': count(walls, 'cannot-be-here'),
    },
  };
}

function count(walls: readonly WallResult[], wanted: WallState): number {
  return walls.filter(({ state }) => state === wanted).length;
}

function engine(): ProofReport['machine']['engine'] {
  if (process.env['KUBERNETES_SERVICE_HOST']) return 'kubernetes';
  if (existsSync('/.dockerenv')) return 'docker';
  return existsSync('/run/.containerenv') ? 'podman' : 'none';
}
