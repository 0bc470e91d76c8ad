import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';

import { EventBacklog } from '../../core/outbox/index.js';
import type { EndedRun } from './counted-ends.js';
import { RunEndSighting } from './run-end-sighting.entity.js';

/** Ends of runs that have still to be counted. */
@Injectable()
export class RunEndSightingsRepository extends EventBacklog<RunEndSighting> {
  constructor(@InjectRepository(RunEndSighting) sightings: Repository<RunEndSighting>) {
    super(sightings, 'workspaceId');
  }

  /** Those of their runs that are still there. */
  async runs(sightings: readonly RunEndSighting[]): Promise<EndedRun[]> {
    const at = new Map(sightings.map((sighting) => [sighting.runId, sighting.at]));
    const runs = await this.notes.manager
      .createQueryBuilder('Run', 'r')
      .select('r.id', 'id')
      .addSelect('r.scriptId', 'scriptId')
      .addSelect('r.environmentId', 'environmentId')
      .addSelect('r.version', 'version')
      .addSelect('r.status', 'status')
      .addSelect('r.durationMs', 'durationMs')
      .addSelect('r.startedAt', 'startedAt')
      .addSelect('r.executionStartedAt', 'executionStartedAt')
      .where({ id: In([...at.keys()]) })
      .getRawMany<Omit<EndedRun, 'at'> & { id: string }>();
    return runs.map(({ id, ...run }) => ({ ...run, at: at.get(id)! }));
  }
}
