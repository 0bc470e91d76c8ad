import { scriptIsVisible } from '../core/access/index.js';
import { boundedPage, columns, type RowOf } from '../core/database/index.js';
import { Agent } from './agent.entity.js';

const AGENT = columns(
  Agent,
  'a',
  'id',
  'slug',
  'name',
  'instructions',
  'model',
  'scripts',
  'enabled',
  'createdByUserId',
  'createdAt',
  'updatedAt',
);

/** With those of its scripts that exist for the viewer. */
export type AgentRow = RowOf<typeof AGENT> & { visibleScripts: string[] };

/** The slugs of the scripts of an agent `a` that exist for a viewer. */
export const visibleScripts = (roleParameter: string, userParameter: string): string => `ARRAY(
  SELECT s.slug FROM unnest(a.scripts) WITH ORDINALITY AS given(slug, place)
    JOIN scripts s ON s.workspace_id = a.workspace_id AND s.slug = given.slug
  WHERE ${scriptIsVisible({ alias: 's', roleParameter, userParameter })} ORDER BY given.place)`;

/** SQL, since a page is bounded by its bytes: an agent can be large because of its instructions. */
export const LIST_AGENTS = boundedPage({
  candidates: `
    SELECT a.id, octet_length(a.instructions) AS bytes FROM agents a
    WHERE a.workspace_id = $1 AND a.id < coalesce($4, '~') ORDER BY a.id DESC LIMIT $5`,
  columns: `${AGENT}, ${visibleScripts('$2', '$3')} AS "visibleScripts"`,
  tables: 'FROM page JOIN agents a ON a.id = page.id',
});
