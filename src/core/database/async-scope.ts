import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * A value that everything within an asynchronous piece of work can ask for. AsyncLocalStorage slows down every
 * callback of the process while it is enabled, so it is enabled only while somebody is inside.
 */
export class AsyncScope<T> {
  private readonly storage = new AsyncLocalStorage<T>();
  private inside = 0;

  get current(): T | undefined {
    return this.inside === 0 ? undefined : this.storage.getStore();
  }

  async run<R>(value: T, work: () => Promise<R>): Promise<R> {
    this.inside += 1;
    try {
      return await this.storage.run(value, work);
    } finally {
      this.inside -= 1;
      if (this.inside === 0) this.storage.disable();
    }
  }

  /** Within `work`, there is no value, also where it was begun inside. */
  async outside<R>(work: () => Promise<R>): Promise<R> {
    return this.inside === 0 ? work() : this.storage.exit(work);
  }
}
