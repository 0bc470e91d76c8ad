import { boundedPage, columns, type RowOf } from '../../core/database/index.js';
import { ScriptVersion } from './script-version.entity.js';

/** What is shown of a version, also in lists. */
export const SHOWN = [
  'id',
  'number',
  'command',
  'build',
  'buildLog',
  'inputSchema',
  'outputSchema',
  'archiveBytes',
  'archiveSha256',
  'timeoutSeconds',
  'resources',
  'runsOn',
  'retry',
  'idempotent',
  'concurrency',
  'debounce',
  'labels',
  'warm',
  'handler',
  'keep',
  'hosts',
  'hostRules',
  'secrets',
  'env',
  'createdVia',
  'message',
  'createdByUserId',
  'publishedAt',
  'createdAt',
] as const;

const VERSION = columns(ScriptVersion, 'v', ...SHOWN);

/** `published`: whether runs use it now. `createdByName`: of who made it. */
export type VersionRow = Omit<RowOf<typeof VERSION>, 'number'> & {
  number: number;
  published: boolean;
  createdByName: string | null;
};

/** SQL, since a page is bounded by its bytes. */
export const LIST_VERSIONS = boundedPage({
  candidates: `
    SELECT v.id, v.input_schema_bytes + v.other_bytes + octet_length(v.host_rules::text) AS bytes FROM script_versions v
    WHERE v.script_id = $1 AND v.number IS NOT NULL AND ($2::text IS NULL OR v.id < $2) ORDER BY v.id DESC LIMIT $3`,
  columns: `${VERSION}, v.number IS NOT DISTINCT FROM s.published_version AS published, u.name AS "createdByName"`,
  tables: `FROM page JOIN script_versions v ON v.id = page.id JOIN scripts s ON s.id = v.script_id
    LEFT JOIN users u ON u.id = v.created_by_user_id`,
});
