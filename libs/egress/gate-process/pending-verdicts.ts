import type { HeldRequest } from '../held-request.js';
import type { Refusal } from '../refusal.js';
import type { Report } from './protocol.js';

/** The requests of one gate about which the worker is asked. */
export class PendingVerdicts {
  private readonly waiting = new Map<number, (refusal: Refusal | null) => void>();

  constructor(
    private readonly id: number,
    private readonly tell: (report: Report) => void,
  ) {}

  ask(request: HeldRequest, gone: AbortSignal): Promise<Refusal | null> {
    const { id } = this;
    const { number } = request;
    return new Promise((resolve) => {
      this.waiting.set(number, resolve);
      gone.addEventListener('abort', () => {
        if (this.waiting.has(number)) this.tell({ type: 'gone', id, number });
      });
      this.tell({ type: 'held', id, request });
    });
  }

  decided(number: number, refusal: Refusal | null): void {
    const resolve = this.waiting.get(number);
    this.waiting.delete(number);
    resolve?.(refusal);
  }
}
