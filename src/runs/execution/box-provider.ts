import { join } from 'node:path';

import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';

import { Sandbox } from '../../../libs/sandbox/index.js';
import { Settings } from '../../core/config/settings.js';

/** The worker's sandbox. Where it does not work the process does not start: nothing ever runs without it. */
@Injectable()
export class BoxProvider implements OnModuleInit, OnApplicationShutdown {
  sandbox!: Sandbox;

  constructor(private readonly settings: Settings) {}

  async onModuleInit(): Promise<void> {
    this.sandbox = await Sandbox.open({
      maxSlots: this.settings.runConcurrency,
      warmSlots: Math.min(this.settings.runConcurrency, 4),
      stateDirectory: join(this.settings.dataDirectory, 'boxes'),
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sandbox?.close();
  }
}
