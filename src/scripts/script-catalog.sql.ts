import { scriptIsVisible } from '../core/access/index.js';
import { columns, PAGE_BYTES } from '../core/database/index.js';
import { Workspace } from '../workspaces/index.js';
import type { ScriptOffer } from './runnable-script.js';
import { Script } from './script.entity.js';
import { scriptIsLike } from './scripts.sql.js';
import { ScriptVersion } from './versions/script-version.entity.js';

/** `found`: how many there were, of which as many came as are not too large together. */
export type FoundOffer = ScriptOffer & { found: number };

const SCRIPT = columns(
  Script,
  's',
  'slug',
  'name',
  'status',
  'approvalPolicy',
  'ask',
  'ownerUserId',
  'queue',
);
const VERSION = columns(
  ScriptVersion,
  'v',
  'inputSchema',
  'outputSchema',
  'command',
  'timeoutSeconds',
  'resources',
  'retry',
  'idempotent',
  'concurrency',
  'debounce',
  'labels',
  'archiveKey',
  'archiveSha256',
  'hosts',
  'hostRules',
  'secrets',
  'env',
  'publishedAt',
);

const runnable = (isWanted: string): string => `
  SELECT s.id AS "scriptId", ${SCRIPT}, ${columns(Workspace, 'w', 'publishNeedsSecondPerson', 'plan')},
    v.id AS "versionId", v.number AS "versionNumber", ${VERSION}
  FROM scripts s
    JOIN workspaces w ON w.id = s.workspace_id
    LEFT JOIN script_versions v ON v.script_id = s.id AND ${isWanted}
  WHERE s.workspace_id = $1 AND s.slug = $2
    AND ${scriptIsVisible({ alias: 's', roleParameter: '$4', userParameter: '$5', choiceParameter: '$6' })}`;

/** SQL, since it is hot: each run that is asked for begins with it. */
export const FIND_RUNNABLE = runnable('v.number = COALESCE($3::integer, s.published_version)');
export const FIND_RUNNABLE_TRIAL = runnable('v.id = $3 AND v.trial_until > now()');

/** SQL: a page ends by stored sizes, so that nothing large is read that does not come. */
export const LIST_OFFERS = `
  WITH measured AS MATERIALIZED (
    SELECT id, version_id, sum(bytes) OVER in_order AS total, row_number() OVER in_order AS place, count(*) OVER () AS found
    FROM (
      SELECT s.id, s.slug, v.id AS version_id, v.input_schema_bytes + v.other_bytes + octet_length(s.description) AS bytes
      FROM scripts s JOIN script_versions v ON v.script_id = s.id AND v.number = s.published_version
      WHERE s.workspace_id = $1 AND s.status = 'published' AND ($4::text[] IS NULL OR s.slug = ANY($4))
        AND ($5::text IS NULL OR s.slug COLLATE "C" > $5) AND ($8::text IS NULL OR ${scriptIsLike('$8::text')})
        AND ${scriptIsVisible({ alias: 's', roleParameter: '$2', userParameter: '$3', choiceParameter: '$7' })}
      ORDER BY s.slug COLLATE "C" LIMIT $6) AS candidate
    WINDOW in_order AS (ORDER BY slug COLLATE "C")
  )
  SELECT ${columns(Script, 's', 'slug', 'name', 'description', 'approvalPolicy', 'ask')},
    ${columns(ScriptVersion, 'v', 'inputSchema', 'outputSchema', 'timeoutSeconds', 'hosts')},
    v.secrets <> '{}' OR cardinality(v.env) > 0 AS "usesSecrets", m.found
  FROM measured m JOIN scripts s ON s.id = m.id JOIN script_versions v ON v.id = m.version_id
  WHERE m.place = 1 OR m.total <= ${PAGE_BYTES} OR $4 IS NOT NULL
  ORDER BY m.place`;
