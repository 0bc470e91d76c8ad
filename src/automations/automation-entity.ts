import { Column, JoinColumn, ManyToOne } from 'typeorm';

import { AttributedEntity, ID } from '../core/database/index.js';
import type { Environment } from '../environments/index.js';
import type { Script } from '../scripts/index.js';

/** What the entities of schedules and triggers have. Their runs are started as whoever made them. */
export abstract class AutomationEntity extends AttributedEntity {
  @Column(ID)
  environmentId!: string;

  @ManyToOne('Environment')
  @JoinColumn({ name: 'environment_id' })
  environment?: Environment;

  @Column(ID)
  scriptId!: string;

  @ManyToOne('Script')
  @JoinColumn({ name: 'script_id' })
  script?: Script;

  @Column('text')
  name!: string;

  /** Not `jsonb`, which forgets the order of what was sent. */
  @Column('json')
  inputs!: Record<string, unknown>;

  @Column('boolean', { default: true })
  enabled!: boolean;

  /** Why the system disabled it; null where somebody did. */
  @Column('text', { nullable: true })
  disabledReason!: string | null;

  /** Made or last changed by an agent, so that its runs count as an agent's. */
  @Column('boolean')
  byAgent!: boolean;
}

/** What they are joined with. */
export type AutomationRelations = Pick<AutomationEntity, 'environment' | 'script'>;

export type AutomationRow = Omit<AutomationEntity, keyof AutomationRelations>;

/** What of one decides whether its runs may start. */
export type Automation = Pick<
  AutomationRow,
  'id' | 'workspaceId' | 'environmentId' | 'scriptId' | 'createdByUserId' | 'byAgent'
>;
