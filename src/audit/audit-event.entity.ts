import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

import { CREATED, ID, oneOf } from '../core/database/entity-columns.js';
import type { ActorType } from './actor-type.js';

/** An entry of the audit trail. The database refuses to change or remove one. */
@Entity('audit_events')
@Index('audit_events_by_action', ['workspaceId', 'action', 'id'])
@Index('audit_events_by_actor', ['workspaceId', 'actorUserId', 'id'], { where: 'actor_user_id IS NOT NULL' })
@Index('audit_events_list', ['workspaceId', 'id'])
@Check('audit_events_actor_type_check', oneOf('actor_type', ['user', 'staff', 'system', 'api_key']))
export class AuditEvent {
  @PrimaryColumn(ID)
  id!: string;

  @Column(ID)
  workspaceId!: string;

  @Column('text')
  action!: string;

  @Column('text')
  actorType!: ActorType;

  @Column({ ...ID, nullable: true })
  actorUserId!: string | null;

  @Column('text', { nullable: true })
  credentialType!: string | null;

  @Column('text', { nullable: true })
  credentialName!: string | null;

  @Column('text', { nullable: true })
  targetType!: string | null;

  @Column({ ...ID, nullable: true })
  targetId!: string | null;

  @Column('jsonb', { default: {} })
  details!: unknown;

  @Column(CREATED)
  createdAt!: Date;
}
