import { ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';

import { APPROVAL_POLICIES, type ApprovalPolicy } from '../core/access/index.js';
import { IfGiven, IsLine, OpaqueJson, PageQuery, PatchOf } from '../core/http/index.js';
import { QUEUE_NAME, QUEUE_NAME_RULE } from '../queues/index.js';
import { AskRuleDto } from './ask-rule.dto.js';
import { ExpectedVersion } from './expected-version.js';
import { SCRIPT_ACCESS, type ScriptAccess } from './script-access.js';
import { SCRIPT_STATUSES, type ScriptStatus } from './script.status.js';
import { ScriptRetentionDto } from './script-retention.js';
import { MAX_TAGS, TAG } from './tags.js';

export class ScriptInput {
  /** Lower-case letters, digits and dashes, beginning with a letter or digit. Unique in the workspace; it cannot be changed. */
  @Matches(/^[a-z0-9-]+$/, {
    message: 'must be lower-case letters, digits and dashes',
  })
  @Length(1, 100)
  @IsString()
  slug: string;

  @Length(1, 100)
  @IsLine()
  name: string;

  @MaxLength(1000)
  @IsString()
  @IfGiven()
  description?: string;
}

export class ScriptPatch extends PatchOf(ScriptInput, ['name', 'description']) {
  /** Opening a script to more people takes an owner or admin in person. */
  @IsIn(SCRIPT_ACCESS)
  @IfGiven()
  access?: ScriptAccess;

  /** With `access: teams`: the teams that it is shared with. They replace the earlier ones. */
  @ApiPropertyOptional({ type: [String], maxItems: 50 })
  @ArrayMaxSize(50)
  @IsArray()
  @IfGiven()
  teamIds?: unknown[];

  /** They replace the earlier ones. */
  @ApiPropertyOptional({ type: 'array', items: { type: 'string', pattern: TAG.source }, maxItems: MAX_TAGS })
  @ArrayMaxSize(MAX_TAGS)
  @IsArray()
  @IfGiven()
  tags?: unknown[];

  /**
   * The name of the queue whose places its runs share; null: none. What waits goes there at once. To take it out of a queue
   * takes an owner or admin.
   */
  @ApiPropertyOptional({ type: String, nullable: true, pattern: QUEUE_NAME.source, maxLength: 100 })
  @MaxLength(100)
  @Matches(QUEUE_NAME, { message: QUEUE_NAME_RULE })
  @IsOptional()
  queue?: string | null;

  /** For how long its runs are kept; never longer than the operator says. null: as long as that. A shorter time takes an owner or admin in person. */
  @ApiPropertyOptional({ type: ScriptRetentionDto, nullable: true })
  @OpaqueJson()
  @IsObject()
  @IsOptional()
  retention?: ScriptRetentionDto | null;

  /** Lowering it takes an owner or admin in person. */
  @IsIn(APPROVAL_POLICIES)
  @IfGiven()
  approvalPolicy?: ApprovalPolicy;

  /**
   * Runs whose inputs match a schema wait for a person, whatever the policies say: those of agents, or all. null: none for that
   * reason. Where it was set, changing it takes an owner or admin in person.
   */
  @ApiPropertyOptional({ nullable: true, allOf: [{ $ref: getSchemaPath(AskRuleDto) }] })
  @OpaqueJson()
  @IsOptional()
  ask?: unknown;

  /** The script's `revision` that the change was made for. At another one nothing is changed: 409. */
  @ExpectedVersion()
  expectedVersion?: number;
}

export class ScriptListQuery extends PageQuery {
  /** Only scripts with this text in their name, slug, description or a tag, in whatever case. */
  @IsOptional()
  @MaxLength(200)
  @IsString()
  q?: string;

  /** Only scripts with this tag. */
  @IsOptional()
  @MaxLength(50)
  @IsString()
  tag?: string;

  @IsOptional()
  @IsIn(SCRIPT_STATUSES)
  status?: ScriptStatus;

  /** Only scripts whose published version uses the secret of this name. */
  @IsOptional()
  @MaxLength(64)
  @IsString()
  secret?: string;
}

export class ScriptArchiveQuery {
  /** `unused`: the script is removed for good, and its slug is free again, where it never had a version; else 409. */
  @IsOptional()
  @IsIn(['unused'])
  removeIf?: 'unused';
}

export class PublishInput {
  /** The number of the version that runs shall use. An older one takes the script back to it. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  @Max(2_147_483_647)
  @Min(1)
  @IsInt()
  version: number;

  /** The number of the version that is published now, 0 for none. Where it is another one nothing is published: 409. */
  @ExpectedVersion()
  expectedVersion?: number;
}
