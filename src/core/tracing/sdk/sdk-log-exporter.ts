import { SeverityNumber } from '@opentelemetry/api';
import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base';
import {
  convertLegacyHttpOptions,
  createOtlpHttpExportDelegate,
} from '@opentelemetry/otlp-exporter-base/node-http';
import { LogsExporterMetricsHelper, ProtobufLogsSerializer } from '@opentelemetry/otlp-transformer';

import { VERSION } from '../../config/index.js';
import type { ExportedLog, LogExporter } from '../exported-log.js';
import { serviceResource } from './service-resource.js';

const SCOPE = { name: 'gatehouse', version: VERSION };

/** OpenTelemetry's exporter. It takes address, headers, certificates and time-out from the standard variables itself. */
export class SdkLogExporter implements LogExporter {
  private readonly resource;
  private readonly exporter = new OTLPExporterBase(
    createOtlpHttpExportDelegate(
      convertLegacyHttpOptions({}, 'LOGS', 'v1/logs', { 'Content-Type': 'application/x-protobuf' }),
      ProtobufLogsSerializer,
      'otlp_http_log_exporter',
      LogsExporterMetricsHelper,
      undefined,
    ),
  );

  constructor(role: string) {
    this.resource = serviceResource(role);
  }

  export(logs: readonly ExportedLog[]): Promise<void> {
    const records = logs.map((log) => this.recordOf(log));
    return new Promise((done, fail) =>
      this.exporter.export(records, ({ error, code }) => {
        if (code === 0) done();
        else fail(error ?? new Error('The collector takes no logs.'));
      }),
    );
  }

  private recordOf({ time, body, attributes }: ExportedLog) {
    const ms = time.getTime();
    const hrTime: [number, number] = [Math.floor(ms / 1000), (ms % 1000) * 1_000_000];
    return {
      hrTime,
      hrTimeObserved: hrTime,
      severityNumber: SeverityNumber.INFO,
      severityText: 'INFO',
      body,
      attributes,
      resource: this.resource,
      instrumentationScope: SCOPE,
      droppedAttributesCount: 0,
    };
  }
}
