import { type ExportedLog, type LogExporter, openLogExporter } from '../../core/tracing/index.js';
import type { Sink, SinkRecord } from './sink.js';

/** A collector of OpenTelemetry. An entry is the body of a record; what collectors filter by are attributes. */
export class OtlpSink implements Sink {
  readonly gatherMs = 0;

  private constructor(private readonly exporter: LogExporter) {}

  static async open(role: string): Promise<OtlpSink> {
    return new OtlpSink(await openLogExporter(role));
  }

  send(entries: readonly SinkRecord[]): Promise<void> {
    return this.exporter.export(entries.map(logOf));
  }
}

function logOf(entry: SinkRecord): ExportedLog {
  const { number, kind, time, action, workspaceId } = entry;
  return {
    time,
    body: JSON.stringify(entry),
    attributes: {
      'gatehouse.entry.number': number,
      'gatehouse.entry.kind': kind,
      ...(action !== undefined && { 'gatehouse.entry.action': action }),
      ...(workspaceId && { 'gatehouse.workspace.id': workspaceId }),
    },
  };
}
