import type { ScriptVersionDto } from './version.dto.js';
import type { VersionRow } from './versions.sql.js';

export function presentVersion({ publishedAt, createdAt, ...version }: VersionRow): ScriptVersionDto {
  return {
    ...version,
    publishedAt: publishedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}
