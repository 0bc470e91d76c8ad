import { type Meter, METERS } from '../core/config/index.js';

/** Counted anew in each period, unlike what is there or not. */
export type CountedMeter = Exclude<Meter, 'storage_bytes' | 'members'>;

export const isGauge = (meter: Meter): boolean => meter === 'storage_bytes' || meter === 'members';

export const METER_DESCRIPTIONS: Record<Meter, string> = {
  runs: 'Runs that were started in this period, tests and runs that wait for approval among them. Each further attempt of a run counts as one.',
  run_seconds: 'Seconds for which scripts ran in this period, each run rounded up to whole seconds.',
  webhook_deliveries: 'Events that were queued for webhook endpoints in this period; retries do not count.',
  agent_messages: 'Messages that agents answered in this period.',
  storage_bytes: 'Bytes of the files that are kept now.',
  members: 'Members of the workspace now.',
};

/** What a number of a meter is a number of. */
export const METER_UNITS: Record<Meter, string> = {
  runs: 'runs',
  run_seconds: 'seconds of running scripts',
  webhook_deliveries: 'webhook deliveries',
  agent_messages: "agents' messages",
  storage_bytes: 'bytes of files',
  members: 'members',
};

export { METERS, type Meter };
