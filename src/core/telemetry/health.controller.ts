import { Controller, Get, Header } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access } from '../access/index.js';
import { ProblemError, Unavailable } from '../errors/index.js';
import { Extensions } from '../extensions/index.js';
import { Lifecycle } from '../lifecycle/index.js';
import { HealthChecks } from './health-checks.js';
import { LivenessDto, ReadinessDto } from './health.dto.js';

const RETRY_SECONDS = 2;

/** For load balancers and supervisors; they need no credential. */
@Controller('health')
@ApiTags('Service')
export class HealthController {
  constructor(
    private readonly checks: HealthChecks,
    private readonly extensions: Extensions,
    private readonly lifecycle: Lifecycle,
  ) {}

  /** Tell whether the process is alive. */
  @Get('live')
  @Access('public')
  @Header('cache-control', 'no-store')
  live(): LivenessDto {
    return { status: 'live' };
  }

  /**
   * Tell whether requests can be served.
   *
   * @remarks 200 once the start is complete and for as long as the database can be written to, and the queue, the file store
   * and whatever else was registered answer. Otherwise 503, with the parts that do not work in `details`.
   */
  @Get('ready')
  @Access('public')
  @Header('cache-control', 'no-store')
  async ready(): Promise<ReadinessDto> {
    if (this.lifecycle.draining) throw new Unavailable('The service is stopping.', RETRY_SECONDS);
    if (!this.lifecycle.ready) throw new Unavailable('The service is starting.', RETRY_SECONDS);
    const results = Object.entries(await this.checks.results());
    const failed = results.filter(([, { status }]) => status === 'down');
    if (failed.length > 0) {
      const details = failed.map(([path, { message }]) => ({ path, message }));
      const message = details.map((detail) => `${detail.path}: ${detail.message}`).join('; ');
      throw new ProblemError('unavailable', message, details, { 'retry-after': String(RETRY_SECONDS) });
    }
    const extensions = this.extensions.all().map(({ name, version }) => ({ name, version }));
    return {
      status: 'ready',
      checks: Object.fromEntries(results.map(([name, { message }]) => [name, message])),
      ...(extensions.length > 0 && { extensions }),
    };
  }
}
