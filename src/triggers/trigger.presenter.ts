import type { TriggerDto } from './trigger.dto.js';
import type { ListedTrigger } from './triggers.repository.js';

export function presentTrigger(row: ListedTrigger): TriggerDto {
  return {
    id: row.id,
    name: row.name,
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
