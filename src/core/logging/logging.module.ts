import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { LogLevels } from './log-levels.js';
import { RaisedLevel } from './raised-level.entity.js';
import { RaisedLevels } from './raised-levels.js';
import { RaisedLevelsRepository } from './raised-levels.repository.js';
import { RequestLogger } from './request-logger.js';

/** What the log of this process says. The logger itself is there before any module. */
@Module({})
export class LoggingModule {
  static of(levels: LogLevels): DynamicModule {
    return {
      module: LoggingModule,
      imports: [TypeOrmModule.forFeature([RaisedLevel])],
      providers: [
        { provide: LogLevels, useValue: levels },
        RaisedLevels,
        RaisedLevelsRepository,
        RequestLogger,
      ],
    };
  }
}
