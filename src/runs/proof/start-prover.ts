import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Gauge } from 'prom-client';

import { removeTree } from '../../../libs/sandbox/index.js';
import { Settings } from '../../core/config/index.js';
import { Metrics } from '../../core/telemetry/index.js';
import { GateProcessService, WorkerDirectory } from '../../core/worker/index.js';
import { BoxProvider } from '../execution/box-provider.js';
import { secretsOf } from './secrets-of.js';
import { QUICK_WALLS, tryWalls } from './try-walls.js';
import type { WallResult } from './wall.js';
import { WALLS } from './walls/index.js';

/** Has a worker try its walls before it takes runs, where GATEHOUSE_REQUIRE_PROOF says so. */
@Injectable()
export class StartProver implements OnModuleInit {
  constructor(
    private readonly settings: Settings,
    private readonly boxes: BoxProvider,
    private readonly gates: GateProcessService,
    private readonly directory: WorkerDirectory,
    private readonly metrics: Metrics,
  ) {}

  /** @throws Error naming each wall that is missing, where all are required */
  async onModuleInit(): Promise<void> {
    const { settings } = this;
    if (settings.requireProof === 'off') return;
    const places = settings.runConcurrency;
    refuseUnknown(settings.proofWithout);
    const folder = await this.directory.folder('proof');
    const secrets = await secretsOf(settings, process.env);
    const gates = this.gates.process;
    const { sandbox } = this.boxes;
    const parts = { settings, sandbox, gates, folder, secrets, openAnother: null };
    const walls = await tryWalls(parts, { places, walls: QUICK_WALLS });
    await removeTree(folder);
    this.show(walls);
    const missing = walls.filter((wall) => isMissing(wall, settings.proofWithout));
    if (missing.length === 0) return;
    const words = wordsOf(missing);
    if (settings.requireProof === 'on') {
      throw new Error(
        `This worker does not start, for GATEHOUSE_REQUIRE_PROOF is on and walls around scripts are missing:\n${words}`,
      );
    }
    console.warn(`Walls around scripts are missing here (GATEHOUSE_REQUIRE_PROOF):\n${words}`);
  }

  private show(walls: readonly WallResult[]): void {
    const registers = [this.metrics.registry];
    const held = new Gauge({
      name: 'gatehouse_wall_held',
      help: 'Whether a wall around scripts held when this worker tried it at its start: 1, or 0.',
      labelNames: ['wall'],
      registers,
    });
    for (const { name, state } of walls) held.set({ wall: name }, state === 'held' ? 1 : 0);
    new Gauge({
      name: 'gatehouse_proof_timestamp_seconds',
      help: 'When this worker tried the walls around scripts.',
      registers,
    }).setToCurrentTime();
  }
}

/** A wall that could be here is never done without. */
function isMissing({ name, state }: WallResult, without: readonly string[]): boolean {
  return state === 'not-held' || (state === 'cannot-be-here' && !without.includes(name));
}

function refuseUnknown(names: readonly string[]): void {
  const known = WALLS.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new Error(
    `GATEHOUSE_PROOF_WITHOUT names walls that there are not: ${unknown.join(', ')}. There are ${known.join(', ')}.`,
  );
}

function wordsOf(walls: readonly WallResult[]): string {
  return walls
    .map(({ name, state, found, cure }) => {
      const how = state === 'not-held' ? 'not held' : 'cannot be here';
      return `  ${name} (${how}): ${found}\n    ${cure}`;
    })
    .join('\n');
}
