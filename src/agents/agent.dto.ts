import { ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsOptional,
  IsString,
  Length,
  Matches,
  MaxLength,
} from 'class-validator';

import { IfGiven, IsLine, IsText, PageOf, PatchOf } from '../core/http/index.js';
import { AgentBudgetDto, BudgetField } from '../usage/index.js';
import { AGENT_APPROVAL_POLICIES, type AgentApprovalPolicy } from './agent.entity.js';

export const MOST_SCRIPTS = 50;
const MOST_INSTRUCTIONS = 20_000;

const SCRIPTS = { type: 'array', items: { type: 'string' }, maxItems: MOST_SCRIPTS } as const;
const MODEL = { type: String, nullable: true, minLength: 1, maxLength: 200 } as const;

export class AgentInput {
  /** Lower-case letters, digits and dashes. Unique in the workspace; it cannot be changed. */
  @Matches(/^[a-z0-9-]+$/, { message: 'must be lower-case letters, digits and dashes' })
  @Length(1, 100)
  @IsString()
  slug: string;

  @Length(1, 100)
  @IsLine()
  name: string;

  /** What the model is told before each conversation. */
  @MaxLength(MOST_INSTRUCTIONS)
  @IsText()
  @IfGiven()
  instructions?: string;

  /** A model of the endpoint that the operator set; null for the one that they chose for all agents. */
  @ApiPropertyOptional(MODEL)
  @Length(1, 200)
  @IsLine()
  @IsOptional()
  model?: string | null;

  /** The slugs of the scripts that it may run. */
  @ApiPropertyOptional(SCRIPTS)
  @ArrayMaxSize(MOST_SCRIPTS)
  @IsArray()
  @IfGiven()
  scripts?: unknown[];

  /** An agent that is not enabled answers nobody. */
  @ApiPropertyOptional({ default: true })
  @IsBoolean()
  @IfGiven()
  enabled?: boolean;

  /** `always`: each run that it starts waits for a person, whatever else allows. Lowering it takes an owner or admin in person. */
  @ApiPropertyOptional({ enum: AGENT_APPROVAL_POLICIES, default: 'none' })
  @IsIn(AGENT_APPROVAL_POLICIES)
  @IfGiven()
  approvalPolicy?: AgentApprovalPolicy;

  @BudgetField(
    'What may be used by it; null: no limit of its own. Raising it takes an owner or admin in person.',
  )
  budget?: unknown;
}

export class AgentPatch extends PatchOf(AgentInput, [
  'name',
  'instructions',
  'model',
  'approvalPolicy',
  'budget',
]) {
  /** They replace the earlier ones, but for those that you cannot see, which stay. */
  @ApiPropertyOptional(SCRIPTS)
  @ArrayMaxSize(MOST_SCRIPTS)
  @IsArray()
  @IfGiven()
  scripts?: unknown[];

  @IsBoolean()
  @IfGiven()
  enabled?: boolean;
}

export class AgentDto {
  id: string;

  /** Unique in the workspace; the address of its chat. */
  slug: string;

  name: string;

  instructions: string;

  /** null: the one that the operator chose for all agents. */
  model: string | null;

  /** The slugs of the scripts that it may run, as far as you can see them. In a chat it runs those that its caller may run. */
  scripts: string[];

  /** An agent that is not enabled answers nobody. */
  enabled: boolean;

  /** `always`: each run that it starts waits for a person, whatever else allows. */
  approvalPolicy: AgentApprovalPolicy;

  /** What may be used by it; null: no limit of its own. */
  budget: AgentBudgetDto | null;

  /** null where an API key made it. */
  createdByUserId: string | null;

  createdAt: string;

  updatedAt: string;
}

export class AgentPage extends PageOf(AgentDto) {}
