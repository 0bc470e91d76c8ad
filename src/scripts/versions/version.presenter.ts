import type { ScriptVersionDto } from './version.dto.js';
import type { VersionRow } from './versions.sql.js';

export function presentVersion(row: VersionRow): ScriptVersionDto {
  const { publishedAt, createdAt, createdByUserId, createdByName, ...version } = row;
  return {
    ...version,
    createdBy: createdByUserId === null ? null : { userId: createdByUserId, name: createdByName ?? '' },
    publishedAt: publishedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}
