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
  'approvalPolicy',
  'budget',
  'createdByUserId',
  'createdAt',
  'updatedAt',
);

/** With those of its scripts that exist for the viewer. */
export type AgentRow = RowOf<typeof AGENT> & { visibleScripts: string[] };

/** The slugs of the scripts of an agent `a` that exist for a viewer. */
export const visibleScripts = (terms: Omit<Parameters<typeof scriptIsVisible>[0], 'alias'>): string => `ARRAY(
  SELECT s.slug FROM unnest(a.scripts) WITH ORDINALITY AS given(slug, place)
    JOIN scripts s ON s.workspace_id = a.workspace_id AND s.slug = given.slug
  WHERE ${scriptIsVisible({ alias: 's', ...terms })} ORDER BY given.place)`;

/** SQL, since a page is bounded by its bytes: an agent can be large because of its instructions. */
export const LIST_AGENTS = boundedPage({
  candidates: `
    SELECT a.id, octet_length(a.instructions) AS bytes FROM agents a
    WHERE a.workspace_id = $1 AND a.id < coalesce($5, '~') ORDER BY a.id DESC LIMIT $6`,
  columns: `${AGENT}, ${visibleScripts({ roleParameter: '$2', userParameter: '$3', choiceParameter: '$4' })} AS "visibleScripts"`,
  tables: 'FROM page JOIN agents a ON a.id = page.id',
});
