import type { ErrorGroupDto } from './error.dto.js';
import { statusAt } from './error.status.js';
import type { ErrorRow } from './errors.repository.js';

export function presentError(row: ErrorRow): ErrorGroupDto {
  const status = statusAt(row, new Date());
  return {
    id: row.id,
    title: row.title,
    exception: row.exception,
    place: row.place,
    sample: row.sample,
    script: { id: row.scriptId, slug: row.scriptSlug },
    environment: row.environment,
    status,
    ignoreUntil: status === 'ignored' ? (row.ignoreUntil?.toISOString() ?? null) : null,
    count: row.count,
    firstAt: row.firstAt.toISOString(),
    lastAt: row.lastAt.toISOString(),
    latestRunId: row.lastRunId,
    version: row.lastVersion,
  };
}
