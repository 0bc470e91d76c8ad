import { Controller, Get, Header, Res, UseGuards } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';

import { Access } from '../access/index.js';
import type { GatehouseResponse } from '../http/index.js';
import { MetricsGuard } from './metrics.guard.js';
import { Metrics } from './metrics.js';

@Controller('metrics')
@ApiTags('Service')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  /**
   * Show the metrics of this process.
   *
   * @remarks In Prometheus' text format. They hold no ids, names or contents, but how much is going on. Served to this
   * machine itself, to the addresses of `GATEHOUSE_METRICS_ALLOW` and to whoever sends `GATEHOUSE_METRICS_TOKEN` as a
   * bearer token; for all others it is not there.
   */
  @Get()
  @Access('public')
  @UseGuards(MetricsGuard)
  @Header('cache-control', 'no-store')
  @ApiProduces('text/plain')
  @ApiOkResponse({ schema: { type: 'string' } })
  @ApiNotFoundResponse({ description: 'It is not served to this address.' })
  show(@Res({ passthrough: true }) response: GatehouseResponse): Promise<string> {
    response.setHeader('content-type', this.metrics.registry.contentType);
    return this.metrics.registry.metrics();
  }
}
