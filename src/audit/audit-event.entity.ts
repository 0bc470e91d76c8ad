import { Check, Column, Entity, Index } from 'typeorm';

import { CreatedEntity, ID, oneOf } from '../core/database/index.js';
import { ACTOR_TYPES, type ActorType } from './actor-type.js';

/** An entry of the audit trail. The database refuses to change or remove one. */
@Entity('audit_events')
@Index('audit_events_by_action', ['workspaceId', 'action', 'id'])
@Index('audit_events_by_actor', ['workspaceId', 'actorUserId', 'id'], { where: 'actor_user_id IS NOT NULL' })
@Index('audit_events_by_target', ['workspaceId', 'targetId', 'id'], { where: `target_type <> 'run'` })
@Index('audit_events_list', ['workspaceId', 'id'])
@Check('audit_events_actor_type_check', oneOf('actor_type', ACTOR_TYPES))
export class AuditEvent extends CreatedEntity {
  /** null: it is about no workspace, as an account may be. Only the log sink tells of those. */
  @Column({ ...ID, nullable: true })
  workspaceId!: string | null;

  /** One of `AUDIT_ACTIONS`, or of an earlier version of them. */
  @Column('text')
  action!: string;

  @Column('text')
  actorType!: ActorType;

  @Column({ ...ID, nullable: true })
  actorUserId!: string | null;

  /** What it was done with; null in the app. An agent's token counts as a personal one. */
  @Column('text', { nullable: true })
  credentialType!: 'api_key' | 'pat' | null;

  @Column('text', { nullable: true })
  credentialName!: string | null;

  /** Where the request came from; null where none did, and before it was kept. */
  @Column('text', { nullable: true })
  address!: string | null;

  /** The kind of thing that it was done to, such as `script`. */
  @Column('text', { nullable: true })
  targetType!: string | null;

  @Column({ ...ID, nullable: true })
  targetId!: string | null;

  /** What else an action says, such as the names of changed fields. `AUDIT_DETAILS` says what of it is part of responses. */
  @Column('jsonb', { default: {} })
  details!: Record<string, unknown>;
}
