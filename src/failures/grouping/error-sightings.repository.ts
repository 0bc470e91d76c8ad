import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';

import { EventBacklog } from '../../core/outbox/index.js';
import { ErrorSighting } from './error-sighting.entity.js';

/** A run that failed, and when. */
export interface FailedRun {
  eventId: string;
  at: Date;
  id: string;
  environmentId: string;
  environment: string;
  scriptId: string;
  scriptSlug: string;
  scriptName: string;
  version: number;
  error: string | null;
}

/** Failures that have still to be counted. */
@Injectable()
export class ErrorSightingsRepository extends EventBacklog<ErrorSighting> {
  constructor(@InjectRepository(ErrorSighting) sightings: Repository<ErrorSighting>) {
    super(sightings, 'workspaceId');
  }

  /** Those of their runs that are still there. */
  async runs(sightings: readonly ErrorSighting[]): Promise<FailedRun[]> {
    const byRun = new Map(sightings.map((sighting) => [sighting.runId, sighting]));
    const rows = await this.notes.manager
      .createQueryBuilder('Run', 'r')
      .innerJoin('Script', 's', 's.id = r.scriptId')
      .innerJoin('Environment', 'e', 'e.id = r.environmentId')
      .select([
        'r.id AS id',
        'r.environmentId AS "environmentId"',
        'e.name AS environment',
        'r.scriptId AS "scriptId"',
        's.slug AS "scriptSlug"',
        's.name AS "scriptName"',
        'r.version AS version',
        'r.error AS error',
      ])
      .where({ id: In([...byRun.keys()]) })
      .getRawMany<Omit<FailedRun, 'eventId' | 'at'>>();
    return rows
      .map((run) => {
        const { eventId, at } = byRun.get(run.id)!;
        return { ...run, eventId, at };
      })
      .sort((one, other) => (one.eventId < other.eventId ? -1 : 1));
  }
}
