import type { EntityMetadata } from 'typeorm';

import { scriptIsVisible, VIEWERS } from '../core/access/index.js';
import { boundedPage } from '../core/database/index.js';

/**
 * $1 workspace, $2 role, $3 user, $4 environment or null, $5 the choice of scripts or null, $6 after, $7 how many, and $8 the script. A page ends by the sizes of
 * its rows, which is a sum over those before.
 */
export function automationLists({ tableName: table, columns }: EntityMetadata) {
  const read = columns.map(({ databaseName, propertyName }) => `a.${databaseName} AS "${propertyName}"`);
  const list = (condition: string): string =>
    boundedPage({
      candidates: `
        SELECT a.id, a.bytes FROM ${table} a JOIN scripts c ON c.id = a.script_id
        WHERE a.workspace_id = $1 AND ($4::text IS NULL OR a.environment_id = $4)
          AND ${scriptIsVisible({ alias: 'c', roleParameter: '$2', userParameter: '$3', choiceParameter: '$5' })}
          AND ${condition} AND a.id < coalesce($6, '~')
        ORDER BY a.id DESC LIMIT $7`,
      columns: `${read.join(', ')}, e.name AS environment, s.slug AS "scriptSlug"`,
      tables: `FROM page JOIN ${table} a ON a.id = page.id JOIN environments e ON e.id = a.environment_id
        JOIN scripts s ON s.id = a.script_id`,
    });
  return {
    all: list('true'),
    ofEnvironment: list('a.environment_id = $4'),
    ofScript: list('a.script_id = $8'),
  };
}

/** For many viewers and subjects at once: whoever sees the script, with a key of the environment. */
export const automationIsVisible = (table: string): string => `
  SELECT COALESCE(s.id IS NOT NULL
    AND ${scriptIsVisible({ alias: 's', roleParameter: 'q.role', userParameter: 'q.user_id', choiceParameter: 'q.script_choice' })}, false) AS visible
  FROM ${VIEWERS}
    LEFT JOIN ${table} a ON a.id = q.subject_id AND a.workspace_id = q.workspace_id
      AND (q.environment_id IS NULL OR a.environment_id = q.environment_id)
    LEFT JOIN scripts s ON s.id = a.script_id
  ORDER BY q.place`;

/** SQL, for pairs of workspace and member. The condition on the automation `a`, in the names of the query builder. */
export const NEEDS_ANY = `(a.scriptId = ANY(:scriptIds) OR (a.workspaceId = ANY(:workspaceIds) AND a.byAgent)
  OR (a.workspaceId, a.createdByUserId) IN (
    SELECT m.workspace_id, m.user_id FROM unnest(:of::text[], :users::text[]) AS m(workspace_id, user_id)))`;
