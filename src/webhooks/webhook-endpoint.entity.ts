import { Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne } from 'typeorm';

import { CreatedEntity, ID } from '../core/database/index.js';
import type { Environment } from '../environments/index.js';
import type { Workspace } from '../workspaces/index.js';

/** An address that a workspace registered for its events. */
@Entity('webhook_endpoints')
@Index('webhook_endpoints_environment', ['environmentId', 'id'])
@Index('webhook_endpoints_list', ['workspaceId', 'id'])
export class WebhookEndpoint extends CreatedEntity {
  @Column(ID)
  workspaceId!: string;

  @ManyToOne('Workspace')
  @JoinColumn({ name: 'workspace_id' })
  workspace!: Workspace;

  @Column(ID)
  environmentId!: string;

  @ManyToOne('Environment')
  @JoinColumn({ name: 'environment_id' })
  environment!: Environment;

  @Column('text')
  url!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  /** null: every event, also of types to come. */
  @Column('text', { array: true, nullable: true })
  eventTypes!: string[] | null;

  @Column('boolean', { default: true })
  enabled!: boolean;

  /** What signs, sealed by the workspace's key and bound to this endpoint. */
  @Column('bytea')
  sealedSecret!: Buffer;

  /** Attempts, of any delivery. */
  @Column('integer', { default: 0 })
  consecutiveFailures!: number;

  /** The HTTP status of the last attempt; null where there was no response. */
  @Column('integer', { nullable: true })
  lastStatus!: number | null;

  @Column('timestamptz', { nullable: true })
  lastAttemptAt!: Date | null;

  /** null for an API key. */
  @ForeignKey('User')
  @Column({ ...ID, nullable: true })
  createdByUserId!: string | null;

  /** The worker that sends to it, one at a time, while its lease lasts. */
  @Column({ ...ID, nullable: true })
  workerId!: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil!: Date | null;
}
