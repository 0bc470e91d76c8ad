import { ApiProperty } from '@nestjs/swagger';

import type { ApprovalPolicy } from '../core/access/index.js';
import type { JsonSchema } from '../../libs/json-schema/index.js';
import { PageOf } from '../core/http/index.js';
import { AskRuleDto } from './ask-rule.dto.js';
import type { ScriptAccess } from './script-access.js';
import { ScriptRetentionDto } from './script-retention.js';
import type { ScriptStatus } from './script.status.js';
import { ScriptStatsDto } from './stats/script-stats.dto.js';

export class ScriptDto {
  id: string;

  /** Unique in the workspace. */
  slug: string;

  name: string;

  description: string;

  status: ScriptStatus;

  /** Who made it; null for an API key. */
  ownerUserId: string | null;

  /** The version that runs use; null until one is published. */
  publishedVersion: number | null;

  /** `workspace`: everyone in the workspace but guests. `teams`: members of `teamIds`, and owners and admins. */
  access: ScriptAccess;

  /** The teams that it is shared with; empty unless `access` is `teams`. */
  teamIds: string[];

  /** The number of its newest version; 0 before the first. */
  lastVersion: number;

  /** Goes up by one each time that its name, description, access, teams, tags, approval policy, queue, retention or `ask` are changed. */
  revision: number;

  /** Which runs wait for a person: none, those that an agent started, or all. The environment's policy counts as well. */
  approvalPolicy: ApprovalPolicy;

  /** Runs whose inputs match a schema wait for a person, whatever the policies say; null: none for that reason. */
  ask: AskRuleDto | null;

  /** The published version's JSON Schema of inputs; null until one is published. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  inputSchema: JsonSchema | null;

  tags: string[];

  /** The name of the queue whose places its runs share with those of other scripts, in all environments; null: none. */
  queue: string | null;

  /** For how long its runs are kept, with their logs and files, where that is less than the operator says; null: as the operator says. */
  @ApiProperty({ type: ScriptRetentionDto, nullable: true })
  retention: ScriptRetentionDto | null;

  stats: ScriptStatsDto;

  createdAt: string;

  /** When the script was last changed, got a version, or was published. */
  updatedAt: string;
}

export class ScriptPage extends PageOf(ScriptDto) {}

export class ScriptUserDto {
  userId: string;

  name: string;

  /** How often they ran it in the last 30 days. */
  runs: number;
}

export class ScriptScheduleDto {
  id: string;

  name: string;

  cron: string;

  enabled: boolean;
}

export class ScriptTriggerDto {
  id: string;

  name: string;

  eventType: string;

  enabled: boolean;
}

export class ScriptHookDto {
  id: string;

  name: string;

  /** How its requests prove where they come from. */
  scheme: string;

  enabled: boolean;
}

export class FollowingScriptDto {
  slug: string;

  name: string;
}

export class FollowingTriggerDto {
  id: string;

  name: string;

  eventType: string;
}

export class ScriptFollowerDto {
  script: FollowingScriptDto;

  trigger: FollowingTriggerDto;
}

export class ScriptUsedByDto {
  /** Who ran it in the last 30 days, the most frequent first, at most 100. A guest finds only themself here. */
  people: ScriptUserDto[];

  schedules: ScriptScheduleDto[];

  triggers: ScriptTriggerDto[];

  /** Addresses to which others send requests that start it. */
  hooks: ScriptHookDto[];

  /** Other scripts' triggers that fire on this script's runs. */
  followedBy: ScriptFollowerDto[];
}

export class ScriptDetailDto extends ScriptDto {
  /** The published version's, in Markdown. */
  readme: string | null;

  usedBy: ScriptUsedByDto;
}
