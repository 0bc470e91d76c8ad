import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Gauge } from 'prom-client';

import { DiskRoom } from '../disk/index.js';
import { Loop } from '../work/index.js';
import { HealthChecks } from './health-checks.js';
import { Metrics } from './metrics.js';

const LOOK_EVERY_MS = 2_000;

/** Looks at the disks of this process, and tells how full they are. */
@Injectable()
export class DiskWatch implements OnModuleInit {
  constructor(
    private readonly disk: DiskRoom,
    private readonly checks: HealthChecks,
    { registry }: Metrics,
  ) {
    const registers = [registry];
    const labelNames = ['place'];
    new Gauge({
      name: 'gatehouse_disk_free_bytes',
      help: 'What is left on the disk of the embedded database, of the work on runs, and of the files.',
      labelNames,
      registers,
      collect() {
        for (const { name, bytes } of disk.seen()) this.set({ place: name }, bytes);
      },
    });
    new Gauge({
      name: 'gatehouse_disk_low',
      help: '1 while new uploads and runs are refused for want of room on that disk, otherwise 0.',
      labelNames,
      registers,
      collect() {
        for (const { name, isLow } of disk.seen()) this.set({ place: name }, Number(isLow));
      },
    });
  }

  async onModuleInit(): Promise<void> {
    await this.look();
    // Whatever needs no room is still answered: this process keeps its requests.
    this.checks.register('disk', () => Promise.resolve(this.disk.problem ?? 'ok'));
  }

  @Loop({ every: LOOK_EVERY_MS, atStart: false, stage: 'holding' })
  async look(): Promise<void> {
    await this.disk.look();
  }
}
