import { ApiProperty } from '@nestjs/swagger';
import { Equals, IsBoolean, IsIn, Matches } from 'class-validator';

import { IfGiven, PageOf, RunsOn } from '../core/http/index.js';
import { APPROVAL_POLICIES, type ApprovalPolicy } from '../core/access/index.js';
import { ENVIRONMENT_NAME, ENVIRONMENT_NAME_RULE } from './environment-name.js';

export class EnvironmentInput {
  /** Unique in the workspace; what `x-environment` names. */
  @ApiProperty({ pattern: ENVIRONMENT_NAME.source })
  @Matches(ENVIRONMENT_NAME, { message: ENVIRONMENT_NAME_RULE })
  name: string;

  /** Which runs a person must approve first. The script's policy applies as well: the stricter one wins. */
  @ApiProperty({ enum: APPROVAL_POLICIES, default: 'none', required: false })
  @IfGiven()
  @IsIn(APPROVAL_POLICIES)
  approvalPolicy?: ApprovalPolicy;

  /** Whether agents may run or schedule scripts here. */
  @ApiProperty({ default: true, required: false })
  @IfGiven()
  @IsBoolean()
  agentsAllowed?: boolean;

  /** The tags that a worker must carry to run anything here, all of them. Empty: as each version says. */
  @RunsOn({ default: [] })
  runsOn?: unknown[];
}

export class EnvironmentPatch {
  /** Another name takes an owner or admin in person. */
  @ApiProperty({ pattern: ENVIRONMENT_NAME.source, required: false })
  @IfGiven()
  @Matches(ENVIRONMENT_NAME, { message: ENVIRONMENT_NAME_RULE })
  name?: string;

  /** Lowering it takes an owner or admin in person. */
  @ApiProperty({ enum: APPROVAL_POLICIES, required: false })
  @IfGiven()
  @IsIn(APPROVAL_POLICIES)
  approvalPolicy?: ApprovalPolicy;

  /** Letting agents in takes an owner or admin in person. */
  @IfGiven()
  @IsBoolean()
  agentsAllowed?: boolean;

  /** The tags that a worker must carry to run anything here, all of them, for runs that are started from now on. Empty: as each version says. */
  @RunsOn()
  runsOn?: unknown[];

  /** Makes it the default, which takes an owner or admin in person; the one that was is not any more. */
  @ApiProperty({ enum: [true], required: false })
  @IfGiven()
  @Equals(true, { message: 'may only be true: to change the default, make another environment the default' })
  isDefault?: true;
}

export class EnvironmentDto {
  id: string;

  name: string;

  approvalPolicy: ApprovalPolicy;

  /** Whether agents may run or schedule scripts here. */
  agentsAllowed: boolean;

  /** The tags that a worker must carry, whatever a version says; empty: as the version says. */
  runsOn: string[];

  /** Where a request that names no environment acts. */
  isDefault: boolean;

  /** null where an API key or the system made it. */
  createdByUserId: string | null;

  createdAt: string;

  updatedAt: string;
}

export class EnvironmentUsageDto {
  /** Deleted with the environment. */
  secretValues: number;

  schedules: number;

  triggers: number;

  hooks: number;
}

export class EnvironmentDetailDto extends EnvironmentDto {
  usage: EnvironmentUsageDto;
}

export class EnvironmentPage extends PageOf(EnvironmentDto) {}
