import { AsyncLocalStorage } from 'node:async_hooks';

import type { Settings } from '../config/index.js';
import { logFieldsOf, type Span, type SpanSource, type SpanStart } from './span.js';

/**
 * Traces of what this process does, for the operator's collector. Without one nothing of it is loaded, there are no spans,
 * and asking for them costs a comparison.
 *
 * @example
 * const span = this.tracing.begin('deliver', { kind: 'client', parent: event.traceparent });
 * await this.tracing.within(span, () => this.send(event));
 * span?.end();
 */
export class Tracing {
  static readonly OFF = new Tracing(null);
  private readonly scope: AsyncLocalStorage<Span> | null;

  private constructor(private readonly source: SpanSource | null) {
    this.scope = source && new AsyncLocalStorage();
  }

  /** As the settings say. */
  static async start({ tracing, role }: Settings): Promise<Tracing> {
    if (tracing === null) return Tracing.OFF;
    const { openSdk } = await import('./sdk/open-sdk.js');
    return new Tracing(openSdk(tracing, role));
  }

  get isOn(): boolean {
    return this.source !== null;
  }

  /** null where there is no tracing. */
  begin(name: string, start: SpanStart): Span | null {
    return this.source && this.source.begin(name, start);
  }

  /** All that `work` does and begins belongs to the span. */
  within<T>(span: Span | null, work: () => T): T {
    return span && this.scope ? this.scope.run(span, work) : work();
  }

  /** The span that this code works for, or null. */
  get current(): Span | null {
    return this.scope?.getStore() ?? null;
  }

  /** For a row whose work goes on from here; null where there is no span. */
  get traceparent(): string | null {
    return this.current?.traceparent ?? null;
  }

  /** What a line of the log that is written now says of its trace. */
  get logFields(): Record<string, string> {
    const { current } = this;
    return current ? logFieldsOf(current) : {};
  }

  async close(): Promise<void> {
    await this.source?.close();
  }
}
