import { Injectable } from '@nestjs/common';

/** What people may have lost. */
export interface AccessLoss {
  /** Scripts that fewer people can run now, or nobody. */
  scriptIds?: readonly string[];
  /** People with fewer rights in a workspace. */
  members?: readonly { workspaceId: string; userId: string }[];
}

/** Called in the transaction of the change, with set-based statements only. */
export type LossListener = (loss: AccessLoss) => Promise<void>;

/**
 * An extension point: what goes on in somebody's name ends in the very transaction that takes the right to it away. Only
 * for what no event tells of.
 *
 * @example
 * onModuleInit(): void {
 *   this.losses.register((loss) => this.switchOffWhatNeeds(loss));
 * }
 */
@Injectable()
export class AccessLosses {
  private readonly listeners: LossListener[] = [];

  register(listener: LossListener): void {
    this.listeners.push(listener);
  }

  /** To be called in the transaction of the change, after it. */
  async tell(loss: AccessLoss): Promise<void> {
    for (const listener of this.listeners) await listener(loss);
  }
}
