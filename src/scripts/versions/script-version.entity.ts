import { Check, Column, Entity, Index, JoinColumn, ManyToOne, Unique } from 'typeorm';

import type { HostRule } from '../../../libs/egress/index.js';
import type { JsonSchema } from '../../../libs/json-schema/index.js';
import type { User } from '../../auth/index.js';
import { computed, CreatedEntity, ID, oneOf } from '../../core/database/index.js';
import type { SecretUse } from '../../secrets/index.js';
import type { Script } from '../script.entity.js';
import type { Concurrency } from './concurrency.js';
import type { Debounce } from './debounce.js';
import type { Keep } from './keep.js';
import type { Labels } from './labels.js';
import type { Resources } from './resources.js';
import type { Retry } from './retry.js';
import { VERSION_ORIGINS, type VersionOrigin } from './version-origin.js';

/** One immutable state of a script: a version, or a trial, which has no number and is gone after a day. */
@Entity('script_versions')
@Index('script_versions_list', ['scriptId', 'id'])
@Index('script_versions_trials', ['trialUntil'], { where: 'trial_until IS NOT NULL' })
@Unique('script_versions_number_key', ['scriptId', 'number'])
@Check('script_versions_created_via_check', oneOf('created_via', VERSION_ORIGINS))
export class ScriptVersion extends CreatedEntity {
  @Column(ID)
  scriptId!: string;

  @ManyToOne('Script')
  @JoinColumn({ name: 'script_id' })
  script?: Script;

  /** Counted from 1 within the script, without gaps; null for a trial. */
  @Column('integer', { nullable: true })
  number!: number | null;

  /** Until when a trial can be run; null for a version. */
  @Column('timestamptz', { nullable: true })
  trialUntil!: Date | null;

  /** What a run executes, with inputs as `{name}`. */
  @Column('text')
  command!: string;

  /** The install command that replaces the usual one; null means the usual one. */
  @Column('text', { nullable: true })
  build!: string | null;

  /** The lists that were passed over, and the end of what the installation printed; null where there is neither. */
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

  /** What the box of a run may use; null: the usual. */
  @Column('jsonb', { nullable: true })
  resources!: Resources | null;

  /** The tags that a worker must carry; empty: any worker will do. */
  @Column('text', { array: true, default: () => "'{}'" })
  runsOn!: string[];

  /** When a run that did not end well is tried again; null: never. */
  @Column('jsonb', { nullable: true })
  retry!: Retry | null;

  /** Whether a run whose worker died while it executed may begin once more. */
  @Column('boolean', { default: false })
  idempotent!: boolean;

  /** How many of its runs go on at once; null: any number. */
  @Column('jsonb', { nullable: true })
  concurrency!: Concurrency | null;

  /** How long a start waits for further ones that take its place; null: it does not. */
  @Column('jsonb', { nullable: true })
  debounce!: Debounce | null;

  /** What its runs' labels are made of: text with inputs as `{name}`. */
  @Column('jsonb', { default: {} })
  labels!: Labels;

  /** Whether its runs may have an interpreter that was there before them. */
  @Column('boolean', { default: true })
  warm!: boolean;

  /** Whether its command names a file that exports a function, which is called for each run. */
  @Column('boolean', { default: false })
  handler!: boolean;

  /** How long the process that calls it stays for further runs; null: it ends with its run. */
  @Column('jsonb', { nullable: true })
  keep!: Keep | null;

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

  /** What is new in it, as whoever made it says. */
  @Column('text', { nullable: true })
  message!: string | null;

  @Column('text')
  createdVia!: VersionOrigin;

  /** Who made it; null for an API key. */
  @Column({ ...ID, nullable: true })
  createdByUserId!: string | null;

  @ManyToOne('User')
  @JoinColumn({ name: 'created_by_user_id' })
  createdBy?: User | null;

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
