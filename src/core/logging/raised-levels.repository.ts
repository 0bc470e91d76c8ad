import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import type { LogLevel } from '../config/index.js';
import { inSeconds, isAhead, isPast } from '../database/index.js';
import { Expires } from '../work/index.js';
import { RaisedLevel } from './raised-level.entity.js';

@Injectable()
export class RaisedLevelsRepository {
  constructor(@InjectRepository(RaisedLevel) private readonly levels: Repository<RaisedLevel>) {}

  list(): Promise<RaisedLevel[]> {
    return this.levels.find({ where: { until: isAhead() }, order: { subject: 'ASC' } });
  }

  async set(subject: string, level: LogLevel, seconds: number): Promise<void> {
    await this.levels.upsert({ subject, level, until: inSeconds(seconds) }, ['subject']);
  }

  async delete(subject: string): Promise<void> {
    await this.levels.delete({ subject });
  }

  @Expires()
  async deleteOld(): Promise<number> {
    return (await this.levels.delete({ until: isPast() })).affected!;
  }
}
