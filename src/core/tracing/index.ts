export type { ExportedLog, LogExporter } from './exported-log.js';
export { openLogExporter } from './open-log-exporter.js';
export { logFieldsOf, type Span, type SpanFacts } from './span.js';
export { TRACEPARENT_CHECK } from './traceparent.js';
export { TracingModule } from './tracing.module.js';
export { Tracing } from './tracing.js';
