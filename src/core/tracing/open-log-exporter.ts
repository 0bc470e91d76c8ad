import type { LogExporter } from './exported-log.js';

/** For the collector that OpenTelemetry's variables name. Nothing of it is loaded before. */
export async function openLogExporter(role: string): Promise<LogExporter> {
  const { SdkLogExporter } = await import('./sdk/sdk-log-exporter.js');
  return new SdkLogExporter(role);
}
