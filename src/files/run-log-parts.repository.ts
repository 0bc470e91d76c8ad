import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { RunLogPart } from './run-log-part.entity.js';

@Injectable()
export class RunLogPartsRepository {
  constructor(@InjectRepository(RunLogPart) private readonly parts: Repository<RunLogPart>) {}

  /** In the order of their lines. */
  of(runId: string): Promise<RunLogPart[]> {
    return this.parts.find({ where: { runId }, order: { firstLine: 'ASC' } });
  }

  async insert(part: RunLogPart): Promise<void> {
    await this.parts.insert(part);
  }
}
