import { Check, Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne, Unique } from 'typeorm';

import type { HostRule } from '../../../libs/egress/index.js';
import type { JsonSchema } from '../../../libs/json-schema/index.js';
import { computed, CreatedEntity, ID, oneOf } from '../../core/database/index.js';
import type { SecretUse } from '../../secrets/index.js';
import type { Script } from '../script.entity.js';
import { VERSION_ORIGINS, type VersionOrigin } from './version-origin.js';

/** One immutable state of a script. */
@Entity('script_versions')
@Index('script_versions_list', ['scriptId', 'id'])
@Unique('script_versions_number_key', ['scriptId', 'number'])
@Check('script_versions_created_via_check', oneOf('created_via', VERSION_ORIGINS))
export class ScriptVersion extends CreatedEntity {
  @Column(ID)
  scriptId!: string;

  @ManyToOne('Script')
  @JoinColumn({ name: 'script_id' })
  script?: Script;

  /** Counted from 1 within the script, without gaps. */
  @Column('integer')
  number!: number;

  /** What a run executes, with inputs as `{name}`. */
  @Column('text')
  command!: string;

  /** The install command that replaces the usual one; null means the usual one. */
  @Column('text', { nullable: true })
  build!: string | null;

  /** The end of what the installation printed; null where nothing was installed. */
  @Column('text', { nullable: true })
  buildLog!: string | null;

  /** Not `jsonb`, which forgets the order of a schema's properties. */
  @Column('json')
  inputSchema!: JsonSchema;

  @Column('json', { nullable: true })
  outputSchema!: JsonSchema | null;

  /** Where the archive as it was uploaded lies in the `BlobStore`. */
  @Column('text')
  archiveKey!: string;

  /** The size of the folder with its dependencies, compressed. */
  @Column('integer')
  archiveBytes!: number;

  /** Of the archive as it was uploaded, in hex. */
  @Column('text')
  archiveSha256!: string;

  @Column('integer')
  timeoutSeconds!: number;

  /** The only hosts that its code may reach, in their one form; empty means no network. */
  @Column('text', { array: true })
  hosts!: string[];

  /** Which requests of its code those hosts get; one that is not named here gets any. */
  @Column('jsonb', { default: [] })
  hostRules!: HostRule[];

  /** The secrets attached to its requests, by name. */
  @Column('jsonb')
  secrets!: Record<string, SecretUse>;

  /** The names of the secrets that its code reads as environment variables. */
  @Column('text', { array: true })
  env!: string[];

  /** Markdown. */
  @Column('text', { nullable: true })
  readme!: string | null;

  @Column('text')
  createdVia!: VersionOrigin;

  @ForeignKey('User')
  @Column({ ...ID, nullable: true })
  createdByUserId!: string | null;

  /** When it was last published; null: never. */
  @Column('timestamptz', { nullable: true })
  publishedAt!: Date | null;

  /** Where the installed dependencies lie in the `BlobStore`; null where nothing was installed. */
  @Column('text', { nullable: true })
  depsKey!: string | null;

  /** Whether the stored dependencies take the place of the archive, rather than being laid over it. */
  @Column('boolean', { default: false })
  depsWhole!: boolean;

  /** For lists, whose pages are bounded by their size. */
  @Column(computed('octet_length(input_schema::text)'))
  inputSchemaBytes!: number;

  /** What a list shows of a version besides its input schema, about. */
  @Column(
    computed(
      'octet_length(command) + coalesce(octet_length(build), 0) + coalesce(octet_length(build_log), 0) + coalesce(octet_length(output_schema::text), 0) + octet_length(secrets::text) + 256 * cardinality(hosts) + 64 * cardinality(env)',
    ),
  )
  otherBytes!: number;
}
