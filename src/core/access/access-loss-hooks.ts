import { Injectable } from '@nestjs/common';

/** Access that people may have lost. */
interface AccessLoss {
  /** Scripts that fewer people can run now, or nobody. */
  scriptIds?: readonly string[];
  /** People with fewer rights in a workspace. */
  members?: readonly { workspaceId: string; userId: string }[];
}

/** Called in the transaction of the change, with set-based statements only. */
type LossListener = (loss: AccessLoss) => Promise<void>;

/**
 * An extension point: what runs in a person's name, such as a schedule, is disabled in the very transaction that takes the
 * access away. Only for losses that no event reports.
 *
 * @example
 * onModuleInit(): void {
 *   this.losses.register((loss) => this.disableWhatNeeds(loss));
 * }
 */
@Injectable()
export class AccessLossHooks {
  private readonly listeners: LossListener[] = [];

  register(listener: LossListener): void {
    this.listeners.push(listener);
  }

  /** Call it in the transaction of the change, after the change. */
  async report(loss: AccessLoss): Promise<void> {
    for (const listener of this.listeners) await listener(loss);
  }
}
