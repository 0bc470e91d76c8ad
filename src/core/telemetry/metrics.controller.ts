import { Controller, Get, Header, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';

import { Access } from '../access/access.decorator.js';
import type { GatehouseReply } from '../http/request.js';
import { Metrics } from './metrics.js';

@Controller('metrics')
@ApiTags('Service')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  /**
   * Show the metrics of this process.
   *
   * @remarks In Prometheus' text format. They hold no ids, names or contents, but how much is going on: where that is
   * nobody's business, let the proxy in front keep this path inside.
   */
  @Get()
  @Access('public')
  @Header('cache-control', 'no-store')
  @ApiProduces('text/plain')
  @ApiOkResponse({ schema: { type: 'string' } })
  show(@Res({ passthrough: true }) reply: GatehouseReply): Promise<string> {
    reply.setHeader('content-type', this.metrics.registry.contentType);
    return this.metrics.registry.metrics();
  }
}
