import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { ID } from '../core/database/index.js';

/** A short-lived token of an agent. Only its hash is kept. */
@Entity('agent_access_tokens')
@Index('agent_access_tokens_expiry', ['expiresAt'])
export class AgentAccessToken {
  @PrimaryColumn('bytea')
  hash!: Buffer;

  @ForeignKey('AgentGrant', { onDelete: 'CASCADE' })
  @Column(ID)
  grantId!: string;

  @Column('timestamptz')
  expiresAt!: Date;
}
