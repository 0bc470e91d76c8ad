import { Injectable } from '@nestjs/common';

/** Called in the transaction in which an environment is deleted, while it is locked. */
type DeletionListener = (environmentId: string) => Promise<void>;

/**
 * An extension point: deletes what is in an environment along with it.
 *
 * @example
 * onModuleInit(): void {
 *   this.deletions.register((environmentId) => this.deleteAllIn(environmentId));
 * }
 */
@Injectable()
export class EnvironmentDeletionHooks {
  private readonly listeners: DeletionListener[] = [];

  register(listener: DeletionListener): void {
    this.listeners.push(listener);
  }

  async tell(environmentId: string): Promise<void> {
    for (const listener of this.listeners) await listener(environmentId);
  }
}
