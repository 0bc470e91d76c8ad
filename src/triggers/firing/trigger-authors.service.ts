import { Injectable } from '@nestjs/common';

import type { RefusedAutomation } from '../../automations/index.js';
import type { Viewer } from '../../core/access/index.js';
import { EventVisibility } from '../../core/outbox/index.js';
import { TriggerAudienceService } from '../trigger-audience.service.js';
import { authorOf, authorProblem } from './author.js';
import type { FiredEvent, ListeningTrigger } from './matches.js';
import { TriggerFiringRepository } from './trigger-firing.repository.js';

/** Has an event fire only the triggers of those who may see it. */
@Injectable()
export class TriggerAuthorsService {
  constructor(
    private readonly repository: TriggerFiringRepository,
    private readonly audience: TriggerAudienceService,
    private readonly visibility: EventVisibility,
  ) {}

  /** Those whose author sees the event, and those that have to be disabled for what has become of their author. */
  async judge(
    event: FiredEvent,
    triggers: readonly ListeningTrigger[],
  ): Promise<{ seeing: ListeningTrigger[]; refused: RefusedAutomation[] }> {
    if (triggers.length === 0) return { seeing: [], refused: [] };
    const roles = await this.repository.authorRoles(triggers);
    const refused: RefusedAutomation[] = [];
    const authors = triggers.flatMap((trigger, index) => {
      const role = roles[index]!;
      const reason = authorProblem(trigger, role, (author) => this.mayFollow(author, event.type));
      if (reason !== null) refused.push({ id: trigger.id, reason });
      return reason === null ? [{ trigger, viewer: role && authorOf(trigger, role) }] : [];
    });
    const { workspaceId, environmentId, type: eventType } = event;
    const shown = await this.visibility.select(
      authors.flatMap(({ viewer }) => viewer ?? []),
      [{ workspaceId, environmentId, eventType, data: JSON.stringify(event.data) }],
    );
    // A creator who has left sees nothing, but it is for the run's order to be refused and say so.
    const seeing = authors.filter(({ viewer }) => viewer === null || shown.shift()!.length > 0);
    return { seeing: seeing.map(({ trigger }) => trigger), refused };
  }

  /** An extension that is gone takes its types with it: its triggers stay, and nothing fires them. */
  private mayFollow(author: Viewer, eventType: string): boolean {
    return !this.audience.find(eventType) || this.audience.refusal(author, eventType) === null;
  }
}
