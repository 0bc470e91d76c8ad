import { Injectable } from '@nestjs/common';

import { SubjectVisibility, type Viewer } from '../core/access/index.js';
import { ProblemError } from '../core/errors/index.js';
import { type EventTypeDefinition, EventTypes, mayFollow } from '../core/outbox/index.js';

/** Who may have a trigger on which type of events: whoever may follow them in the stream. */
@Injectable()
export class TriggerAudienceService {
  constructor(
    private readonly types: EventTypes,
    private readonly subjects: SubjectVisibility,
  ) {}

  find(eventType: string): EventTypeDefinition | null {
    return this.types.find(eventType);
  }

  /**
   * Why somebody may not follow events of a type by a trigger, or null. A trigger outlives the request that made it, so where
   * the credential decides about each event, it takes whoever may follow every event.
   */
  refusal(viewer: Viewer, eventType: string): ProblemError | null {
    const audience = this.find(eventType)?.audience;
    const byCredential = audience?.about !== undefined && this.subjects.isByCredential(audience.about.kind);
    const follows = mayFollow(readingRuns(viewer), byCredential ? undefined : audience);
    return follows instanceof ProblemError ? follows : null;
  }

  /** @throws ProblemError where events of that type say more than the credential may read */
  assertMayFollow(viewer: Viewer, eventType: string): void {
    const refusal = this.refusal(viewer, eventType);
    if (!refusal) return;
    const { code, message, details, headers } = refusal;
    throw new ProblemError(
      code,
      `A trigger on ${eventType} takes who may follow such events. ${message}`,
      details,
      headers,
    );
  }
}

/** What a trigger makes of events of runs stands in runs: without the scope to read those, nothing is learnt from it. */
function readingRuns(viewer: Viewer): Viewer {
  return viewer.scopes === null ? viewer : { ...viewer, scopes: new Set([...viewer.scopes, 'runs:read']) };
}
