import type { Filter } from '../automations/index.js';
import { LIVE_MEMBERSHIPS, scriptIsVisible } from '../core/access/index.js';
import { columns, type RowOf } from '../core/database/index.js';
import { Trigger } from './trigger.entity.js';

const TRIGGER = columns(Trigger, 't', 'id', 'name', 'eventType');

/** A trigger that another script's runs may fire. */
export type Follower = RowOf<typeof TRIGGER> & {
  /** Of the script that it runs. */
  slug: string;
  scriptName: string;
  /** The script that is followed. */
  followed: { id: string; slug: string; name: string };
  /** What its filter says about the script that is followed. */
  filter: Filter;
};

const IS_ON_RUNS = `t.enabled AND t.event_type LIKE 'run.%'`;

/** $1 workspace. On the way of each new script, of which a query builder would take a twentieth. */
export const ANY_ON_RUNS = `
  SELECT EXISTS (SELECT FROM triggers t WHERE t.workspace_id = $1 AND ${IS_ON_RUNS}) AS exist`;

/** A filter may have 16 KiB. What it says of a script in more than these bytes fits none. */
const LONGEST = 4096;

/**
 * $1 workspace, $2 script, $3 role, $4 user, $5 environment or null, $6 the choice of scripts or null. Of each filter only what it says of the script is read, and
 * each author's rights are looked up beside.
 */
export const FOLLOWERS = `
  SELECT ${TRIGGER}, COALESCE(about.filter, '{}') AS filter, s.slug, s.name AS "scriptName",
    json_build_object('id', f.id, 'slug', f.slug, 'name', f.name) AS followed
  FROM triggers t
    JOIN scripts s ON s.id = t.script_id
    JOIN scripts f ON f.id = $2
    LEFT JOIN ${LIVE_MEMBERSHIPS} m ON m.workspace_id = t.workspace_id AND m.user_id = t.author_user_id
    CROSS JOIN LATERAL (
      SELECT json_object_agg(key, value) AS filter FROM json_each(t.filter) WHERE key = 'script' OR key LIKE 'script.%') AS about
    CROSS JOIN LATERAL (SELECT CASE WHEN t.author_user_id IS NULL THEN 'admin' ELSE m.role END AS role) AS author
  WHERE t.workspace_id = $1 AND ${IS_ON_RUNS} AND t.script_id <> $2
    AND ($5::text IS NULL OR t.environment_id = $5) AND COALESCE(octet_length(about.filter::text) <= ${LONGEST}, true)
    AND ${scriptIsVisible({ alias: 's', roleParameter: '$3', userParameter: '$4', choiceParameter: '$6' })}
    AND ${scriptIsVisible({ alias: 'f', roleParameter: 'author.role', userParameter: 't.author_user_id', choiceParameter: 't.author_script_choice' })}
  ORDER BY t.id DESC`;
