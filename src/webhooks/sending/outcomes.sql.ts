import { columns, named, type RowOf } from '../../core/database/index.js';
import { WebhookEndpoint } from '../webhook-endpoint.entity.js';

const STATE = columns(WebhookEndpoint, 'e', 'id', 'enabled', 'consecutiveFailures');
export type EndpointState = RowOf<typeof STATE>;

interface RecordParameters {
  deliveryIds: string[];
  numbers: number[];
  oks: boolean[];
  statuses: (number | null)[];
  errors: (string | null)[];
  durations: number[];
  responses: (string | null)[];
  moments: Date[];
  urls: string[];
  signatures: string[];
  waits: number[];
  endpointIds: string[];
  anyOks: boolean[];
  failures: number[];
  lastStatuses: (number | null)[];
  lastMoments: Date[];
}

/** SQL, since it is hot: each attempt, its delivery and its endpoint in one statement for many of them. */
export const RECORD = named<RecordParameters>(`
  WITH outcome AS MATERIALIZED (
    SELECT * FROM unnest(:deliveryIds::text[], :numbers::int[], :oks::boolean[], :statuses::int[], :errors::text[],
      :durations::int[], :responses::text[], :moments::timestamptz[], :urls::text[], :signatures::text[], :waits::int[])
      AS o(delivery_id, number, ok, status, error, duration_ms, response, attempted_at, url, signature, wait_ms)
  ), moved AS (
    UPDATE webhook_deliveries d SET
      attempts = GREATEST(d.attempts, o.number), last_status = o.status, last_attempt_at = o.attempted_at,
      status = CASE WHEN o.ok OR d.status = 'delivered' THEN 'delivered'
        WHEN d.status = 'failed' OR o.number >= d.max_attempts THEN 'failed' ELSE 'pending' END,
      next_attempt_at = now() + o.wait_ms * interval '1 millisecond'
    FROM outcome o WHERE d.id = o.delivery_id AND (d.attempts < o.number OR (o.ok AND d.status <> 'delivered'))
    RETURNING d.id
  ), logged AS (
    INSERT INTO webhook_attempts
      (delivery_id, number, status, error, duration_ms, response, attempted_at, url, signature)
    SELECT o.delivery_id, o.number, o.status, o.error, o.duration_ms, o.response, o.attempted_at, o.url, o.signature
    FROM outcome o JOIN moved m ON m.id = o.delivery_id
    ON CONFLICT DO NOTHING
  )
  UPDATE webhook_endpoints e SET
    consecutive_failures = s.failures + CASE WHEN s.any_ok THEN 0 ELSE e.consecutive_failures END,
    last_status = s.last_status, last_attempt_at = s.last_at
  FROM unnest(:endpointIds::text[], :anyOks::boolean[], :failures::int[], :lastStatuses::int[],
      :lastMoments::timestamptz[])
    AS s(id, any_ok, failures, last_status, last_at)
  WHERE e.id = s.id
  RETURNING ${STATE}`);
