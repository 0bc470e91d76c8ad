import { Check, Column, Entity, Index, Unique } from 'typeorm';

import { AttributedEntity, CREATED, oneOf } from '../core/database/index.js';
import type { AgentBudget } from '../usage/index.js';

export const AGENT_APPROVAL_POLICIES = ['none', 'always'] as const;
export type AgentApprovalPolicy = (typeof AGENT_APPROVAL_POLICIES)[number];

/** A language model with instructions that answers people and runs some of the workspace's scripts for them. */
@Entity('agents')
@Index('agents_list', ['workspaceId', 'id'])
@Check('agents_approval_policy_check', oneOf('approval_policy', AGENT_APPROVAL_POLICIES))
@Unique('agents_slug_key', ['workspaceId', 'slug'])
export class Agent extends AttributedEntity {
  /** It never changes. */
  @Column('text')
  slug!: string;

  @Column('text')
  name!: string;

  @Column('text', { default: '' })
  instructions!: string;

  /** null: the one that the operator set for all. */
  @Column('text', { nullable: true })
  model!: string | null;

  /** The slugs of the scripts that it may run, which never change; what the caller may run besides decides at each message. */
  @Column('text', { array: true, default: () => "'{}'" })
  scripts!: string[];

  @Column('boolean', { default: true })
  enabled!: boolean;

  /** `always`: each run that it starts waits for a person, whatever the script's policy says. */
  @Column('text', { default: 'none' })
  approvalPolicy!: AgentApprovalPolicy;

  /** What may be used by it; null: whatever else allows. */
  @Column('json', { nullable: true })
  budget!: AgentBudget | null;

  @Column(CREATED)
  updatedAt!: Date;
}
