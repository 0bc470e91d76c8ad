import { columns } from '../database/index.js';
import { fairBatch } from '../work/index.js';
import { OutboxEvent } from './outbox-event.entity.js';

const BATCH = fairBatch(
  { table: 'events', waits: 'dispatched_at IS NULL AND (dispatch_after IS NULL OR dispatch_after <= now())' },
  '$1::int',
);

const DISPATCHED = columns(
  OutboxEvent,
  'e',
  'id',
  'workspaceId',
  'environmentId',
  'type',
  'data',
  'causedByRunId',
  'createdAt',
  'traceparent',
);

/**
 * SQL, since it is hot: each event is claimed once, fairly between workspaces. Each row has its own mark; going on after the
 * last id would miss events of a transaction that commits late.
 */
export const CLAIM = `
  WITH RECURSIVE ${BATCH}
  UPDATE events e SET dispatched_at = now() FROM batch WHERE e.id = batch.id
  RETURNING ${DISPATCHED}, batch.most`;
