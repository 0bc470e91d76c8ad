import { scriptIsVisible } from '../core/access/index.js';
import {
  type BoundStatement,
  boundedPage,
  columns,
  insertColumns,
  named,
  type RowOf,
} from '../core/database/index.js';
import type { PageQuery } from '../core/http/index.js';
import { Workspace } from '../workspaces/index.js';
import { Script } from './script.entity.js';
import type { ScriptListQuery } from './script-input.dto.js';
import type { ScriptViewer } from './script-viewer.js';
import { ScriptVersion } from './versions/script-version.entity.js';

const SCRIPT = columns(
  Script,
  's',
  'id',
  'slug',
  'name',
  'description',
  'status',
  'ownerUserId',
  'publishedVersion',
  'access',
  'teamIds',
  'approvalPolicy',
  'ask',
  'tags',
  'queue',
  'retention',
  'lastVersion',
  'revision',
  'createdAt',
  'updatedAt',
);
const NEW = insertColumns(Script, 'id', 'workspaceId', 'slug', 'name', 'description', 'ownerUserId');
const README = columns(ScriptVersion, 'v', 'readme');
const OF_WORKSPACE = columns(Workspace, 'w', 'publishNeedsSecondPerson', 'plan');

export type ScriptRow = RowOf<typeof SCRIPT>;

/** With what the published version shows of itself. */
export type ListedScriptRow = ScriptRow & { inputSchema: ScriptVersion['inputSchema'] | null };
export type DetailedScriptRow = ListedScriptRow & RowOf<typeof README>;
/** Locked: nobody else changes it, or the workspace's setting or plan, before the transaction ends. */
export type LockedScriptRow = ScriptRow & RowOf<typeof OF_WORKSPACE>;

export type NewScript = typeof NEW.row;
export type ScriptFilters = Omit<ScriptListQuery, keyof PageQuery>;

/** SQL, since it is hot: all that is shown of it comes back with it. */
export const INSERT_SCRIPT = named<NewScript>(`
  INSERT INTO scripts AS s (${NEW.columns}) VALUES (${NEW.parameters}) ON CONFLICT DO NOTHING RETURNING ${SCRIPT}`);

/** $2 role, $3 user, $4 the choice of scripts or null. */
const VISIBLE = scriptIsVisible({
  alias: 's',
  roleParameter: '$2',
  userParameter: '$3',
  choiceParameter: '$4',
});

const LISTED = `${SCRIPT}, v.input_schema AS "inputSchema"`;

const WITH_PUBLISHED = 'LEFT JOIN script_versions v ON v.script_id = s.id AND v.number = s.published_version';

/** The first parameters of the statements with `VISIBLE`. */
export function viewerParameters({ workspaceId, role, userId, scriptChoice }: ScriptViewer): unknown[] {
  return [workspaceId, role, userId, scriptChoice];
}

/** SQL, since it is hot. */
export const FIND_SCRIPT = `
  SELECT ${LISTED}, ${README} FROM scripts s ${WITH_PUBLISHED}
  WHERE s.workspace_id = $1 AND s.slug = $5 AND ${VISIBLE}`;

/** SQL, since it locks two tables, each in its own way. */
export const LOCK_SCRIPT = `
  SELECT ${SCRIPT}, ${OF_WORKSPACE} FROM scripts s JOIN workspaces w ON w.id = s.workspace_id
  WHERE s.workspace_id = $1 AND s.slug = $5 AND ${VISIBLE}
  FOR UPDATE OF s FOR SHARE OF w`;

/** Conditions on a team `t`. */
export const HAS_GUESTS = `EXISTS (
  SELECT FROM team_members tm JOIN memberships m ON m.user_id = tm.user_id
  WHERE tm.team_id = t.id AND m.workspace_id = t.workspace_id AND m.role = 'guest')`;
export const HAS_USER =
  'EXISTS (SELECT FROM team_members tm WHERE tm.team_id = t.id AND tm.user_id = :userId)';

/** A pattern of LIKE for what has a text in it. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

export const scriptIsLike = (pattern: string): string =>
  `(s.name ILIKE ${pattern} OR s.slug ILIKE ${pattern} OR s.description ILIKE ${pattern}
    OR EXISTS (SELECT FROM unnest(s.tags) AS t(tag) WHERE t.tag ILIKE ${pattern}))`;

/** SQL: a page is bounded by its bytes. It is built of the filters that there are, so that each is read by its index. */
export function listScripts(
  viewer: ScriptViewer,
  { q, tag, status, secret }: ScriptFilters,
  after: string | null,
  count: number,
): BoundStatement {
  const parameters: unknown[] = viewerParameters(viewer);
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const conditions = ['s.workspace_id = $1', VISIBLE];
  if (after !== null) conditions.push(`s.id < ${bind(after)}`);
  if (status !== undefined) conditions.push(`s.status = ${bind(status)}`);
  if (tag !== undefined) conditions.push(`s.tags @> ARRAY[${bind(tag)}::text]`);
  if (secret !== undefined) {
    const name = bind(secret);
    conditions.push(`(v.secrets ? ${name} OR ${name} = ANY(v.env))`);
  }
  if (q !== undefined) {
    conditions.push(scriptIsLike(bind(containing(q))));
  }
  const list = boundedPage({
    candidates: `SELECT s.id, octet_length(s.description) + coalesce(v.input_schema_bytes, 0) AS bytes
      FROM scripts s ${WITH_PUBLISHED} WHERE ${conditions.join(' AND ')} ORDER BY s.id DESC LIMIT ${bind(count)}`,
    columns: LISTED,
    tables: `FROM page JOIN scripts s ON s.id = page.id ${WITH_PUBLISHED}`,
  });
  return [list, parameters];
}
