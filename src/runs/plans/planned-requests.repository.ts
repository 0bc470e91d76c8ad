import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, type Repository } from 'typeorm';

import { Database } from '../../core/database/index.js';
import { Run } from '../run.entity.js';
import { PlannedRequest } from './planned-request.entity.js';

/** What plans would have sent. */
@Injectable()
export class PlannedRequestsRepository {
  constructor(
    @InjectRepository(PlannedRequest) private readonly requests: Repository<PlannedRequest>,
    @InjectRepository(Run) private readonly runs: Repository<Run>,
    private readonly database: Database,
  ) {}

  /**
   * Adds to the list of a plan. Where the run is not the worker's any more, nothing is written; what is there already is left as it is.
   *
   * @param count how many there have been, those included that are not listed
   */
  async add(
    { id, claim }: Pick<Run, 'id' | 'claim'>,
    count: number,
    requests: readonly PlannedRequest[],
  ): Promise<void> {
    await this.database.transaction(async () => {
      const { affected } = await this.runs.update(
        { id, claim, phase: 'executing' },
        { plannedRequests: count },
      );
      if (affected !== 1 || requests.length === 0) return;
      await this.requests
        .createQueryBuilder()
        .insert()
        .values([...requests])
        .orIgnore()
        .execute();
    });
  }

  /** In the order in which they were sent. */
  list(runId: string, after: number, count: number): Promise<PlannedRequest[]> {
    return this.requests.find({
      where: { runId, number: MoreThan(after) },
      order: { number: 'ASC' },
      take: count,
    });
  }
}
