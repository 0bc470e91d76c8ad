import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import { AppModule } from '../app.module.js';
import { applicationOptions } from '../application.js';
import { Settings } from '../core/config/index.js';
import { ConnectionOptions } from '../core/database/index.js';
import { loadExtensions } from '../core/extensions/index.js';
import { HttpServer } from '../core/http/index.js';
import { Tracing } from '../core/tracing/index.js';
import { withDatabase } from './application.js';

/**
 * Does `work` in the whole application, which listens nowhere: for what concerns several domains and is heard of by other
 * processes. It runs no scripts, and its log says errors only, since a command says itself what it did.
 */
export function withService<T>(
  settings: Settings,
  work: (app: INestApplicationContext) => Promise<T>,
): Promise<T> {
  return withDatabase(settings, { alongside: true }, async (url) => {
    const connection = new ConnectionOptions(url, settings.databasePool);
    const extensions = await loadExtensions(settings, process.env);
    const own = new Settings({ ...process.env, GATEHOUSE_ROLE: 'api' });
    const app = await NestFactory.create(
      AppModule.for(own, connection, { extensions }),
      new HttpServer(own),
      {
        ...applicationOptions(own, Tracing.OFF),
        logger: ['error'],
      },
    );
    try {
      return await work(await app.init());
    } finally {
      await app.close();
    }
  });
}
