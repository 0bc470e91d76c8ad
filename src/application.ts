import type { NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';

import { AppModule } from './app.module.js';
import type { Settings } from './core/config/index.js';
import type { ConnectionOptions } from './core/database/index.js';
import type { LoadedExtension } from './core/extensions/index.js';
import { HttpServer } from './core/http/index.js';
import { LogLevels, serviceLogger } from './core/logging/index.js';
import { Tracing } from './core/tracing/index.js';

export { HeldCopy } from './core/work/index.js';
export { FirstRunService } from './first-run/index.js';

/** The whole application, initialised but not listening. */
export async function createApp(
  settings: Settings,
  connection: ConnectionOptions,
  extensions: readonly LoadedExtension[] = [],
): Promise<NestExpressApplication> {
  const server = new HttpServer(settings);
  const tracing = await Tracing.start(settings);
  const logLevels = new LogLevels(settings.logLevel);
  const module = AppModule.for(settings, connection, { extensions, tracing, logLevels });
  const options = applicationOptions(settings, tracing, logLevels);
  const app = await NestFactory.create<NestExpressApplication>(module, server, options);
  await app.init();
  return app;
}

export function applicationOptions(
  settings: Settings,
  tracing: Tracing,
  logLevels = new LogLevels(settings.logLevel),
): NestApplicationOptions {
  return {
    bodyParser: false,
    abortOnError: false,
    // Express takes the first route that fits: `/v1/files/me` has to come before `/v1/files/:id`.
    routeResolutionStrategy: 'specificity',
    routeConflictPolicy: { duplicate: 'error' },
    logger: serviceLogger(settings, tracing, logLevels),
  };
}
