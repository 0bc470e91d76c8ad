import { forgetInputsOf } from '../../approvals/index.js';
import { columns, type RowOf } from '../../core/database/index.js';
import { Run } from '../run.entity.js';

const RUN_COLUMNS = columns(Run, 'r', 'startedByUserId', 'credentialId', 'credentialType', 'interface');

/** A run that executes, and how much was asked already. */
export interface AskingRun extends RowOf<typeof RUN_COLUMNS> {
  scriptName: string;
  ownerUserId: string | null;
  /** Of this run, whatever became of them. */
  asked: number;
  /** Of the workspace, those that nobody has decided yet. */
  pending: number;
}

/**
 * $1 run, $2 its attempt. It neither ends nor is tried again until the transaction ends. SQL, since it locks one table of those
 * that it reads.
 */
export const LOCK_ASKING = `
  SELECT ${RUN_COLUMNS}, s.name AS "scriptName", s.owner_user_id AS "ownerUserId",
    (SELECT count(*)::int FROM approval_requests a WHERE a.run_id = r.id AND a.action = 'request.send') AS asked,
    (SELECT count(*)::int FROM approval_requests a
      WHERE a.workspace_id = r.workspace_id AND a.action = 'request.send' AND a.status = 'pending') AS pending
  FROM runs r JOIN scripts s ON s.id = r.script_id
  WHERE r.id = $1 AND r.attempt = $2 AND r.phase = 'executing' AND r.cancel_requested_at IS NULL
  FOR SHARE OF r`;

const LEFT = [
  ...[
    'script',
    'version',
    'environment',
    'attempt',
    'method',
    'address',
    'bodyBytes',
    'bodySha256',
    'sha256',
  ],
  'lastApprovedAt',
];

/**
 * Takes what was shown of requests out of them, once their runs go: who asked and decided, where to, and the hash stay.
 *
 * @param runs a relation with the runs' `id`
 */
export const forgetShownOf = (runs: string): string =>
  forgetInputsOf({
    runs,
    action: 'request.send',
    left: `json_build_object(${LEFT.map((field) => `'${field}', a.input -> '${field}'`).join(', ')},
      'query', NULL, 'headers', json_build_array(), 'body', NULL, 'bodyCut', false, 'changes', json_build_array(), 'isForgotten', true)`,
  });

/** Of a run as `r`: the ids of those that wait for a decision, the oldest first. In the words of the index on those of a run. */
export const WAITING_OF_RUN = `
  CASE WHEN r.phase = 'executing' THEN ARRAY(
    SELECT a.id FROM approval_requests a
    WHERE a.run_id = r.id AND a.action = 'request.send' AND a.status = 'pending' AND a.expires_at > now()
    ORDER BY a.id) ELSE '{}'::text[] END`;

/** Questions that wait although what they ask for cannot be sent any more. SQL, since it compares an input with a run. */
export const UNNEEDED = `
  SELECT a.id FROM approval_requests a LEFT JOIN runs r ON r.id = a.run_id
  WHERE a.action = 'request.send' AND a.status = 'pending'
    AND (r.phase = 'executing' AND r.attempt = (a.input ->> 'attempt')::int) IS NOT TRUE
  LIMIT 500`;
