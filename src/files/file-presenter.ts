import type { FileDto, FileListItemDto } from './file.dto.js';
import type { FileListRow } from './files.repository.js';
import type { FileRow } from './files.sql.js';

/** `linkTo` makes the download link of an id, or null where links are off. */
export function presentFile(row: FileRow, linkTo: (id: string) => string | null): FileDto {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    size: row.size,
    direction: row.direction,
    runId: row.runId,
    field: row.field,
    sha256: row.sha256,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    downloadUrl: linkTo(row.id),
  };
}

export function presentListItem(row: FileListRow, linkTo: (id: string) => string | null): FileListItemDto {
  return {
    ...presentFile(row, linkTo),
    script: { slug: row.scriptSlug, name: row.scriptName },
    run: row.runId === null ? null : { id: row.runId, startedAt: row.runStartedAt!.toISOString() },
    startedBy: row.startedBy,
  };
}
