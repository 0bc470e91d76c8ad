import type { AlertDto, AlertMessageDto } from './alert.dto.js';
import type { AlertRuleRow } from './alert-rules.repository.js';
import { durationText } from './judging/judge.js';
import type { AlertMessage } from './sending/alert-message.entity.js';

export function presentAlert(row: AlertRuleRow): AlertDto {
  return {
    id: row.id,
    name: row.name,
    script: row.scriptSlug,
    schedule: row.scheduleId,
    on: row.on,
    slow: row.slow,
    notSucceededFor: row.notSucceededFor === null ? null : durationText(row.notSucceededFor),
    destination: { channel: row.channel, host: row.host, to: row.recipients },
    groupSeconds: row.groupSeconds,
    quietHours: row.quietHours,
    enabled: row.enabled,
    deadlineAt: row.deadlineAt?.toISOString() ?? null,
    createdByUserId: row.createdByUserId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function presentMessage(row: AlertMessage): AlertMessageDto {
  const isOver = row.status === 'sent' || row.status === 'failed';
  return {
    id: row.id,
    status: row.status,
    test: row.test,
    count: row.count,
    conditions: row.conditions,
    text: row.events[0]?.text ?? null,
    runId: row.runId,
    attempts: row.attempts,
    error: row.error,
    dueAt: isOver ? null : row.dueAt.toISOString(),
    sentAt: row.sentAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
