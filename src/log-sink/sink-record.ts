import type { AuditEvent } from '../audit/index.js';
import type { OutboxEvent } from '../core/outbox/index.js';
import type { LogSinkEntry } from './log-sink-entry.entity.js';
import type { SinkRecord } from './sinks/sink.js';

/** With the row that it is about; neither: that was deleted before it could be sent. */
export interface NumberedEntry extends LogSinkEntry {
  number: number;
  audit: AuditEvent | null;
  runEnd: (OutboxEvent & { data: Record<string, unknown> }) | null;
}

/** An entry as it is sent. Of a run's end, nothing that a script has written. */
export function sinkRecordOf({ number, id, createdAt, audit, runEnd }: NumberedEntry): SinkRecord {
  if (audit) {
    return {
      number,
      kind: 'audit',
      id,
      time: audit.createdAt,
      workspaceId: audit.workspaceId,
      action: audit.action,
      actor: {
        type: audit.actorType,
        userId: audit.actorUserId,
        credentialType: audit.credentialType,
        credentialName: audit.credentialName,
        address: audit.address,
      },
      target: { type: audit.targetType, id: audit.targetId },
      details: audit.details,
    };
  }
  if (runEnd) {
    const { error: _, ...run } = runEnd.data;
    const { createdAt: time, workspaceId, type: action } = runEnd;
    return { number, kind: 'run', id, time, workspaceId, action, run };
  }
  return { number, kind: 'deleted', id, time: createdAt };
}
