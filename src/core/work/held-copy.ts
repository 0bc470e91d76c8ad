import { Injectable, type OnModuleInit } from '@nestjs/common';

import { copyState, Database } from '../database/index.js';
import { Loop } from './loop.decorator.js';

const LOOK_EVERY_MS = 1_000;

/**
 * Whether this service is a copy beside its original, perhaps: restored, and not told yet to go on. Then it begins nothing
 * by itself, or both would. A copy is held from before the start of its processes until `resume`, and never again.
 */
@Injectable()
export class HeldCopy implements OnModuleInit {
  private held = false;

  constructor(private readonly database: Database) {}

  get isHeld(): boolean {
    return this.held;
  }

  async onModuleInit(): Promise<void> {
    this.held = await this.asks();
  }

  @Loop({ every: LOOK_EVERY_MS, atStart: false })
  async look(): Promise<void> {
    if (this.held) this.held = await this.asks();
  }

  private async asks(): Promise<boolean> {
    return (await copyState((statement) => this.database.query(statement))) === 'held';
  }
}
