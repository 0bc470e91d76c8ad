import { Check, Column, Entity, Index } from 'typeorm';

import { CreatedEntity, ID, oneOf } from '../core/database/index.js';

export const VERDICTS = ['accepted', 'filtered', 'duplicate', 'handshake', 'refused'] as const;

export type ReceiptVerdict = (typeof VERDICTS)[number];

/** A request that came in for a hook, and what was made of it. It outlives its hook, unseen, until its time is over. */
@Entity('hook_receipts')
@Index('hook_receipts_list', ['hookId', 'id'])
@Check('hook_receipts_verdict_check', oneOf('verdict', VERDICTS))
export class HookReceipt extends CreatedEntity {
  @Column(ID)
  workspaceId!: string;

  @Column(ID)
  hookId!: string;

  @Column('text')
  verdict!: ReceiptVerdict;

  /** Why it was refused, or started nothing. */
  @Column('text', { nullable: true })
  reason!: string | null;

  /** The sender's own name for it. */
  @Column('text', { nullable: true })
  providerId!: string | null;

  /** SHA-256 of the body. */
  @Column('bytea')
  digest!: Buffer;

  @Column('integer')
  bodyBytes!: number;

  /** null where it started nothing: such requests are as many as others send, and fill no table. */
  @Column('bytea', { nullable: true })
  body!: Buffer | null;

  /** Those of the allow list. */
  @Column('json')
  headers!: Record<string, string>;

  @Column('json')
  query!: Record<string, string>;

  @Column({ ...ID, nullable: true })
  runId!: string | null;
}
