import type { RunOperationDto } from './run-operation.dto.js';
import type { RunOperation } from './run-operation.entity.js';
import type { ListedOperation } from './run-operations.repository.js';

export function presentOperation(row: ListedOperation): RunOperationDto {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    filter: { ...row.filter },
    matched: row.matched,
    more: row.more,
    done: row.done,
    skipped: row.skipped,
    failed: row.failed,
    error: row.error,
    waitsBecause: row.waitsBecause,
    startedBy: {
      userId: row.startedByUserId,
      credentialType: row.credentialType,
      credentialName: row.credentialName,
    },
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

export function presentSingleOperation(row: RunOperation): RunOperationDto {
  return { ...presentOperation(row), leftOut: row.leftOut };
}
