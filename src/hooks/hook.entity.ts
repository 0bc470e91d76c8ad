import { Check, Column, Entity, Index } from 'typeorm';

import { AutomationEntity, type Filter } from '../automations/index.js';
import { computed } from '../core/database/index.js';
import type { VerifyConfig } from './verify/verify-config.js';

/** An address to which others send requests, each of which starts a run of a script. */
@Entity('hooks')
@Index('hooks_by_address', ['addressHash'], { unique: true })
@Index('hooks_by_script', ['scriptId', 'id'])
@Index('hooks_list', ['environmentId', 'id'])
@Check('hooks_reason_check', `(NOT enabled) OR (disabled_reason IS NULL)`)
export class Hook extends AutomationEntity {
  /** SHA-256 of the secret part of its address. */
  @Column('bytea')
  addressHash!: Buffer;

  @Column('json')
  verify!: VerifyConfig;

  /** Headers that are kept besides the usual ones. */
  @Column('text', { array: true })
  headers!: string[];

  /** Not `jsonb`, which forgets the order of what was sent. */
  @Column('json')
  filter!: Filter;

  /** Whether the sender waits for the run and gets its output. */
  @Column('boolean')
  respond!: boolean;

  /** To the minute. */
  @Column('timestamptz', { nullable: true })
  lastReceivedAt!: Date | null;

  /** When an event told last of a request that was refused. */
  @Column('timestamptz', { nullable: true })
  refusalToldAt!: Date | null;

  /** Of its JSON: a page of a list ends by it, without reading what is large. */
  @Column(computed('octet_length(filter::text) + octet_length(inputs::text)'))
  bytes!: number;
}
