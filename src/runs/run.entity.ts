import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

import type { HostUsage } from '../../libs/egress/index.js';
import { CREATED, ID, oneOf } from '../core/database/index.js';
import type { Labels, Retry } from '../scripts/index.js';
import { TRACEPARENT_CHECK } from '../core/tracing/index.js';
import type { OutputView } from './output/output-view.js';
import { STORED_CAUSES, type StoredCause } from './run.cause.js';
import {
  type EndReason,
  RUN_INTERFACES,
  RUN_PHASES,
  RUN_STATUSES,
  type RunInterface,
  type RunPhase,
  type RunStatus,
} from './run.status.js';

/** One execution of a version. */
@Entity('runs')
@Index('runs_by_cause', ['causeId', 'id'], { where: 'cause_id IS NOT NULL' })
@Index('runs_by_environment', ['environmentId', 'id'])
@Index('runs_by_hook', ['hookId', 'id'], { where: 'hook_id IS NOT NULL' })
@Index('runs_by_interface', ['workspaceId', 'interface', 'id'])
@Index('runs_by_person', ['workspaceId', 'startedByUserId', 'id'])
@Index('runs_by_schedule', ['scheduleId', 'id'], { where: 'schedule_id IS NOT NULL' })
@Index('runs_by_script', ['scriptId', 'id'])
@Index('runs_by_status', ['workspaceId', 'status', 'id'])
@Index('runs_by_trigger', ['triggerId', 'id'], { where: 'trigger_id IS NOT NULL' })
@Index('runs_debounced', ['workspaceId', 'debounceKey'], {
  unique: true,
  where: `debounce_key IS NOT NULL AND phase = 'delayed'`,
})
@Index('runs_delayed', ['startAt'], { where: `phase = 'delayed'` })
@Index('runs_expiring', ['expiresAt'], {
  where: `expires_at IS NOT NULL AND attempt = 1 AND phase IN ('held', 'delayed', 'waiting', 'queued')`,
})
@Index('runs_keyed', ['concurrencyKey', 'id'], {
  where: `concurrency_key IS NOT NULL AND phase IN ('queued', 'starting', 'executing')`,
})
@Index('runs_labelled', ['labels'], { type: 'gin', where: `labels <> '{}'` })
@Index('runs_leased', ['leaseUntil'], { where: 'lease_until IS NOT NULL' })
@Index('runs_list', ['workspaceId', 'id'])
@Index('runs_planned', ['workspaceId', 'id'], { where: 'plan' })
@Index('runs_tagged', ['workspaceId', 'rank', 'id'], { where: `phase = 'queued' AND runs_on IS NOT NULL` })
@Index('runs_untagged', ['workspaceId', 'rank', 'id'], { where: `phase = 'queued' AND runs_on IS NULL` })
@Index('runs_in_queues', ['workspaceId', 'queue', 'phase', 'rank', 'id'], {
  where: `queue IS NOT NULL AND phase IN ('waiting', 'queued', 'starting', 'executing')`,
})
@Index('runs_retrying', ['nextAttemptAt'], { where: `phase = 'retrying'` })
@Index('runs_taken', ['workspaceId', 'workerId'], { where: `phase IN ('starting', 'executing')` })
@Index('runs_turns', ['workspaceId', 'rank', 'id'], { where: `phase = 'queued'` })
@Index('runs_waiting', ['workspaceId', 'concurrencyKey', 'rank', 'id'], { where: `phase = 'waiting'` })
@Check('runs_cause_check', oneOf('cause_type', STORED_CAUSES))
@Check('runs_interface_check', oneOf('interface', RUN_INTERFACES))
@Check('runs_phase_check', oneOf('phase', RUN_PHASES))
@Check('runs_status_check', oneOf('status', RUN_STATUSES))
@Check('runs_traceparent_check', TRACEPARENT_CHECK)
export class Run {
  @PrimaryColumn(ID)
  id!: string;

  @Column(ID)
  workspaceId!: string;

  @Column(ID)
  environmentId!: string;

  @Column(ID)
  scriptId!: string;

  /** As it was when the run was started. */
  @Column('text')
  scriptSlug!: string;

  @Column(ID)
  versionId!: string;

  @Column('integer')
  version!: number;

  @Column('text')
  status!: RunStatus;

  @Column('text')
  phase!: RunPhase;

  /** With defaults filled in. Read as text, so that its numbers keep all their digits. */
  @Column('json')
  inputs!: unknown;

  /** What the script returned; null where it failed. Read as text, too. */
  @Column('json', { nullable: true })
  output!: unknown;

  /** Why it failed or was cancelled, in words for whoever reads the run. */
  @Column('text', { nullable: true })
  error!: string | null;

  /** null for an API key of the workspace, also where a schedule or trigger starts it that one made. */
  @Column({ ...ID, nullable: true })
  startedByUserId!: string | null;

  @Column({ ...ID, nullable: true })
  credentialId!: string | null;

  /** null in the app and for schedules and triggers. */
  @Column('text', { nullable: true })
  credentialType!: 'pat' | 'api_key' | 'oauth' | null;

  @Column('text', { nullable: true })
  credentialName!: string | null;

  /** Started by an agent, or by what one made or caused: the policies for agents apply. */
  @Column('boolean')
  byAgent!: boolean;

  @Column('text')
  interface!: RunInterface;

  /** The request that it waits for, or waited. */
  @Column({ ...ID, nullable: true })
  approvalRequestId!: string | null;

  @Column({ ...ID, nullable: true })
  scheduleId!: string | null;

  @Column({ ...ID, nullable: true })
  triggerId!: string | null;

  @Column({ ...ID, nullable: true })
  hookId!: string | null;

  /** What `causeId` names; null: nothing but who started it, or its schedule, trigger or hook. */
  @Column('text', { nullable: true })
  causeType!: StoredCause | null;

  /** What stands directly before it. */
  @Column({ ...ID, nullable: true })
  causeId!: string | null;

  /** Of a chosen version, published or not: not counted in statistics. */
  @Column('boolean')
  test!: boolean;

  /** What it would send is written down instead: no event tells of it, and nothing counts it but usage. */
  @Column('boolean', { default: false })
  plan!: boolean;

  /** How many requests and connections a plan would have made, those that are not listed included. */
  @Column('integer', { default: 0 })
  plannedRequests!: number;

  /** 0 to 1, as the script reported it. */
  @Column('double precision', { nullable: true })
  progress!: number | null;

  @Column('text', { nullable: true })
  progressMessage!: string | null;

  /** What the script asked for its output to be shown as. */
  @Column('text', { nullable: true })
  outputView!: OutputView | null;

  @Column('integer', { default: 0 })
  logLines!: number;

  /** What its code did over the network, by host. */
  @Column('json', { default: [] })
  network!: HostUsage[];

  /** Instead of the version's; null: as the version says. */
  @Column('jsonb', { nullable: true })
  retry!: Retry | null;

  /** The number of its newest attempt, from 1. */
  @Column('integer', { default: 1 })
  attempt!: number;

  /** While it is `retrying`: when it is queued again. */
  @Column('timestamptz', { nullable: true })
  nextAttemptAt!: Date | null;

  /** It is not queued before; null: at once. */
  @Column('timestamptz', { nullable: true })
  startAt!: Date | null;

  /** It is cancelled where it has not begun by then; null: never. */
  @Column('timestamptz', { nullable: true })
  expiresAt!: Date | null;

  /** What is lower goes first within its workspace: minus its priority, so that one index in one direction has the order. */
  @Column('integer', { default: 0 })
  rank!: number;

  /** With which runs it shares places: script, environment and what the version's key says; null: with none. */
  @Column({ ...ID, nullable: true })
  concurrencyKey!: string | null;

  /** The name of the queue in which it waits, or that has given it its place; null: none. */
  @Column('text', { nullable: true })
  queue!: string | null;

  /** Which further starts take its place while it is delayed: script, environment, a guest's id, and what the version's key says; null: none. */
  @Column({ ...ID, nullable: true })
  debounceKey!: string | null;

  /** It waits no longer for further starts. */
  @Column('timestamptz', { nullable: true })
  debounceUntil!: Date | null;

  /** How many starts it stands for; null: it waits for no further ones. */
  @Column('integer', { nullable: true })
  debounceStarts!: number | null;

  /** By which it is found: what its start, its version and the script itself say. */
  @Column('jsonb', { default: {} })
  labels!: Labels;

  /** Why it was cancelled without anybody asking for it. */
  @Column('text', { nullable: true })
  endReason!: EndReason | null;

  /** When it was asked for. */
  @Column(CREATED)
  startedAt!: Date;

  /** When its command began. */
  @Column('timestamptz', { nullable: true })
  executionStartedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  finishedAt!: Date | null;

  @Column('integer', { nullable: true })
  durationMs!: number | null;

  /** Processor time of the newest attempt. */
  @Column('integer', { nullable: true })
  cpuMs!: number | null;

  @Column('bigint', { nullable: true })
  peakMemoryBytes!: number | null;

  @Column('timestamptz', { nullable: true })
  cancelRequestedAt!: Date | null;

  /** The tags that its worker must carry, as its environment or version said when it was asked for; null: none. */
  @Column('text', { array: true, nullable: true })
  runsOn!: string[] | null;

  /** While it is queued: since when it is known that no worker carries its tags. */
  @Column('timestamptz', { nullable: true })
  unplaceableSince!: Date | null;

  /** How often a worker took it: a worker whose claim is an earlier one changes nothing any more. */
  @Column('integer', { default: 0 })
  claim!: number;

  @Column({ ...ID, nullable: true })
  workerId!: string | null;

  /** Until when its worker has to say that it is still there. */
  @Column('timestamptz', { nullable: true })
  leaseUntil!: Date | null;

  /** How many triggers are between it and what somebody did. */
  @Column('integer', { default: 0 })
  hops!: number;

  /** How many runs before it have started one another through the API. */
  @Column('integer', { default: 0 })
  apiHops!: number;

  /** The event that began its chain of triggers, and of scripts that start runs. */
  @Column({ ...ID, nullable: true })
  chainEventId!: string | null;

  /** The trace that it goes on with, from whoever started it; once it has ended, where its worker's part begins. */
  @Column('text', { nullable: true })
  traceparent!: string | null;
}
