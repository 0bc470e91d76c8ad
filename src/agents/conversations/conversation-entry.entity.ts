import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { CREATED, ID, oneOf } from '../../core/database/index.js';

export const ENTRY_KINDS = ['person', 'agent', 'call'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** What a person said, what the agent said, or a tool that it called with what came of that. */
@Entity('agent_conversation_entries')
@Check('agent_conversation_entries_kind_check', oneOf('kind', ENTRY_KINDS))
export class ConversationEntry {
  @ForeignKey('AgentConversation', { onDelete: 'CASCADE' })
  @PrimaryColumn(ID)
  conversationId!: string;

  @PrimaryColumn('integer')
  turn!: number;

  @PrimaryColumn('integer')
  place!: number;

  /** Which of the model's responses in its turn it is part of; the person's message comes before the first. */
  @Column('integer')
  step!: number;

  @Column('text')
  kind!: EntryKind;

  /** What was said, or what the tool gave. null: the call was broken off, or goes on. */
  @Column('text', { nullable: true })
  content!: string | null;

  /** Of a call. */
  @Column('text', { nullable: true })
  tool!: string | null;

  /** JSON, as the model gave it. */
  @Column('text', { nullable: true })
  input!: string | null;

  /** The slug of the script whose run it is about: whoever may not see it any more sees nothing of the call. */
  @Column('text', { nullable: true })
  script!: string | null;

  @Column({ ...ID, nullable: true })
  runId!: string | null;

  /** The run had not ended when the call did: what came of it is filled in at the next turn. */
  @Column('boolean', { default: false })
  waits!: boolean;

  @Column(CREATED)
  createdAt!: Date;
}
