import type { LogSinkSettings, Settings } from '../../core/config/index.js';
import type { Sink } from './sink.js';

/** A sink with the libraries that only it needs. */
export async function openSink(sink: LogSinkSettings, { role }: Settings): Promise<Sink> {
  switch (sink.kind) {
    case 'otlp':
      return (await import('./otlp-sink.js')).OtlpSink.open(role);
    case 'syslog':
      return new (await import('./syslog-sink.js')).SyslogSink(sink);
    case 's3':
      return new (await import('./s3-sink.js')).S3Sink(sink);
  }
}
