import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

import { computed, CREATED, ID, oneOf } from '../../core/database/entity-columns.js';

/** One immutable state of a script. */
@Entity('script_versions')
@Index('script_versions_list', ['scriptId', 'id'])
@Unique('script_versions_number_key', ['scriptId', 'number'])
@Check('script_versions_created_via_check', oneOf('created_via', ['cli', 'api', 'app']))
export class ScriptVersion {
  @PrimaryColumn(ID)
  id!: string;

  @ForeignKey('Script')
  @Column(ID)
  scriptId!: string;

  @Column('integer')
  number!: number;

  @Column('text')
  command!: string;

  @Column('text', { nullable: true })
  build!: string | null;

  @Column('text', { nullable: true })
  buildLog!: string | null;

  @Column('json')
  inputSchema!: unknown;

  @Column('json', { nullable: true })
  outputSchema!: unknown;

  @Column('text')
  archiveKey!: string;

  @Column('integer')
  archiveBytes!: number;

  @Column('text')
  archiveSha256!: string;

  @Column('integer')
  timeoutSeconds!: number;

  @Column('text', { array: true })
  hosts!: string[];

  @Column('jsonb')
  secrets!: unknown;

  @Column('text', { array: true })
  env!: string[];

  @Column('text', { nullable: true })
  readme!: string | null;

  @Column('text')
  createdVia!: 'cli' | 'api' | 'app';

  @ForeignKey('User')
  @Column({ ...ID, nullable: true })
  createdByUserId!: string | null;

  @Column('timestamptz', { nullable: true })
  publishedAt!: Date | null;

  @Column(CREATED)
  createdAt!: Date;

  @Column('text', { nullable: true })
  depsKey!: string | null;

  @Column('boolean', { default: false })
  depsWhole!: boolean;

  @Column(computed('octet_length(input_schema::text)'))
  inputSchemaBytes!: number;

  @Column(
    computed(
      'octet_length(command) + coalesce(octet_length(build), 0) + coalesce(octet_length(build_log), 0) + coalesce(octet_length(output_schema::text), 0) + octet_length(secrets::text) + 256 * cardinality(hosts) + 64 * cardinality(env)',
    ),
  )
  otherBytes!: number;
}
