import { Logger } from '@nestjs/common';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

type Done = Parameters<SpanExporter['export']>[1];

const TELL_EVERY_MS = 60_000;
const SUCCESS = 0;

/** Says in the log, once in a while, that the collector takes nothing. The spans are lost, and nothing else is. */
export class TellingExporter implements SpanExporter {
  private readonly logger = new Logger('Tracing');
  private toldAt = -Infinity;

  constructor(private readonly exporter: SpanExporter) {}

  export(spans: ReadableSpan[], done: Done): void {
    this.exporter.export(spans, (result) => {
      if (result.code !== SUCCESS) this.tell(result.error);
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  private tell(error: Error | undefined): void {
    if (performance.now() - this.toldAt < TELL_EVERY_MS) return;
    this.toldAt = performance.now();
    this.logger.warn(`Traces cannot be sent to the collector and are lost: ${reasonOf(error)}`);
  }
}

/** A status or an error of the connection. What a collector says in words is not repeated. */
function reasonOf(error: Error | undefined): string {
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code === 'number') return `it responded with ${code}`;
  return typeof code === 'string' ? code : 'it did not respond in time';
}
