import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';

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
export class ErrorSightingsRepository {
  constructor(@InjectRepository(ErrorSighting) private readonly sightings: Repository<ErrorSighting>) {}

  async insert(sightings: readonly ErrorSighting[]): Promise<void> {
    await this.sightings
      .createQueryBuilder()
      .insert()
      .values([...sightings])
      .orIgnore()
      .updateEntity(false)
      .execute();
  }

  /** Workspaces that have some, the one whose oldest has waited longest first. */
  async workspaces(most: number): Promise<string[]> {
    const rows = await this.sightings
      .createQueryBuilder('s')
      .select('s.workspaceId', 'id')
      .groupBy('s.workspaceId')
      .orderBy('min(s.eventId)')
      .limit(most)
      .getRawMany<{ id: string }>();
    return rows.map(({ id }) => id);
  }

  /** In the order in which they happened. */
  next(workspaceId: string, most: number): Promise<ErrorSighting[]> {
    return this.sightings.find({ where: { workspaceId }, order: { eventId: 'ASC' }, take: most });
  }

  /** Those of their runs that are still there. */
  async runs(sightings: readonly ErrorSighting[]): Promise<FailedRun[]> {
    const byRun = new Map(sightings.map((sighting) => [sighting.runId, sighting]));
    const rows = await this.sightings.manager
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

  /** Returns which of them were there: each is for one process only. */
  async take(workspaceId: string, eventIds: readonly string[]): Promise<Set<string>> {
    const { raw } = await this.sightings
      .createQueryBuilder()
      .delete()
      .where({ workspaceId, eventId: In([...eventIds]) })
      .returning('event_id')
      .execute();
    return new Set((raw as { event_id: string }[]).map(({ event_id }) => event_id));
  }
}
