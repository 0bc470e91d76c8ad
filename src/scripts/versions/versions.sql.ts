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
  'hosts',
  'hostRules',
  'secrets',
  'env',
  'createdVia',
  'publishedAt',
  'createdAt',
] as const;

const VERSION = columns(ScriptVersion, 'v', ...SHOWN);

/** `published`: whether runs use it now. */
export type VersionRow = RowOf<typeof VERSION> & { published: boolean };

/** SQL, since a page is bounded by its bytes. */
export const LIST_VERSIONS = boundedPage({
  candidates: `
    SELECT v.id, v.input_schema_bytes + v.other_bytes + octet_length(v.host_rules::text) AS bytes FROM script_versions v
    WHERE v.script_id = $1 AND ($2::text IS NULL OR v.id < $2) ORDER BY v.id DESC LIMIT $3`,
  columns: `${VERSION}, v.number IS NOT DISTINCT FROM s.published_version AS published`,
  tables: 'FROM page JOIN script_versions v ON v.id = page.id JOIN scripts s ON s.id = v.script_id',
});
