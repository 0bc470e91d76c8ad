import { Injectable } from '@nestjs/common';

import { AuditTrail } from '../audit/index.js';
import {
  type AutomationChange,
  AutomationDisablingService,
  AutomationNeedsService,
  checkMatching,
  EVENT_PLACEHOLDERS,
  MatchingAutomationsService,
} from '../automations/index.js';
import type { WorkspaceCaller } from '../core/access/index.js';
import { Database } from '../core/database/index.js';
import { InvalidRequest } from '../core/errors/index.js';
import { SchemaChecks } from '../core/schema/index.js';
import { changesAuthor, type TriggerSettings } from './trigger.changes.js';
import type { TriggerDto, TriggerInput, TriggerPatch } from './trigger.dto.js';
import { TRIGGER } from './trigger.kind.js';
import { TriggerAudienceService } from './trigger-audience.service.js';
import { TriggerCrowdService } from './trigger-crowd.service.js';
import { checkPaths } from './trigger.rules.js';
import { type ListedTrigger, type TriggerRow, TriggersRepository } from './triggers.repository.js';

type TriggerChange = AutomationChange<TriggerRow, TriggerSettings>;

@Injectable()
export class TriggersService extends MatchingAutomationsService<TriggerRow, TriggerSettings, TriggerDto> {
  protected readonly fields = ['name', 'environment', 'filter', 'inputs', 'enabled'] as const;
  protected readonly present = presentTrigger;
  protected readonly placeholders = EVENT_PLACEHOLDERS;

  constructor(
    triggers: TriggersRepository,
    needs: AutomationNeedsService,
    disabling: AutomationDisablingService,
    database: Database,
    audit: AuditTrail,
    private readonly crowd: TriggerCrowdService,
    private readonly audience: TriggerAudienceService,
    protected readonly checks: SchemaChecks,
  ) {
    super(TRIGGER, triggers, needs, disabling, database, audit);
  }

  create(caller: WorkspaceCaller, slug: string, input: TriggerInput): Promise<TriggerDto> {
    const { eventType, filter = {} } = input;
    const definition = this.audience.find(eventType);
    if (!definition) {
      throw InvalidRequest.at(
        'eventType',
        `there is no type "${eventType}"; GET /v1/workspace/event-types lists them`,
      );
    }
    checkMatching(input, this.placeholders);
    checkPaths(definition.schema, input);
    return this.make(caller, slug, input, () => {
      this.audience.assertMayFollow(caller, eventType);
      return {
        columns: { eventType, filter, ...authorship(caller) },
        details: { eventType },
      };
    });
  }

  override change(caller: WorkspaceCaller, id: string, patch: TriggerPatch): Promise<TriggerDto> {
    checkMatching(patch, this.placeholders);
    return this.crowd.countedAlone(caller.workspace.id, () => super.change(caller, id, patch));
  }

  protected ownChange(
    caller: WorkspaceCaller,
    { before, after, changed }: TriggerChange,
  ): Partial<TriggerRow> {
    if (!changesAuthor(changed)) return {};
    this.audience.assertMayFollow(caller, before.eventType);
    // An extension that is gone takes its types with it; its triggers can still be changed.
    const definition = this.audience.find(before.eventType);
    if (definition) {
      checkPaths(definition.schema, {
        ...(changed.includes('filter') && { filter: after.filter }),
        ...(changed.includes('inputs') && { inputs: after.inputs }),
      });
    }
    return authorship(caller);
  }

  protected override async assertFits(trigger: TriggerRow, change: TriggerChange | null): Promise<void> {
    if (!change || waitsForOthers(change)) await this.crowd.assertFits(trigger);
  }
}

function authorship({ person, scriptChoice }: WorkspaceCaller) {
  return { authorUserId: person?.id ?? null, authorScriptChoice: scriptChoice };
}

/** Whether an enabled trigger waits for other events than before. */
function waitsForOthers({ after, changed, isEnabledNow }: TriggerChange): boolean {
  return after.enabled && (isEnabledNow || changed.includes('filter') || changed.includes('environment'));
}

function presentTrigger(row: ListedTrigger): TriggerDto {
  return {
    id: row.id,
    name: row.name,
    script: { id: row.scriptId, slug: row.scriptSlug },
    environment: row.environment,
    eventType: row.eventType,
    filter: row.filter,
    inputs: row.inputs,
    enabled: row.enabled,
    disabledReason: row.disabledReason,
    createdByUserId: row.createdByUserId,
    lastFiredAt: row.lastFiredAt?.toISOString() ?? null,
  };
}
