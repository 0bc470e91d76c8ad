import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';

import { OpaqueJson } from '../../core/http/index.js';

const COUNT = { type: 'integer', minimum: 0, maximum: 1_000_000_000_000 } as const;

/** What may be used in a period at most. What is left out is not limited. */
export class BudgetLimitsDto {
  @ApiPropertyOptional({ ...COUNT, description: 'Runs that are started, held ones among them.' })
  runs?: number;

  @ApiPropertyOptional({ ...COUNT, description: 'Messages to agents.' })
  messages?: number;

  @ApiPropertyOptional({
    ...COUNT,
    description: 'Tokens that models read and wrote, as they say themselves.',
  })
  tokens?: number;

  @ApiPropertyOptional({
    type: 'number',
    format: 'double',
    minimum: 0,
    maximum: 1_000_000_000,
    description:
      'What these tokens cost, in the currency of `GATEHOUSE_MODEL_PRICE`, without which it cannot be limited.',
  })
  cost?: number;
}

/** Days and months are those of UTC. */
export class AgentBudgetDto {
  day?: BudgetLimitsDto;

  month?: BudgetLimitsDto;
}

export class AgentUseDto {
  /** When it begins anew. */
  @ApiPropertyOptional({ format: 'date-time' })
  until: string;

  runs: number;

  messages: number;

  tokens: number;

  /** null: the operator has set no price. */
  @ApiProperty({ type: 'number', format: 'double', nullable: true })
  cost: number | null;

  /** Calls of tools that only read. */
  reads: number;
}

export class AgentUsageDto {
  /** Today, in UTC. */
  day: AgentUseDto;

  month: AgentUseDto;

  /** Of the cost; null: the operator has set no price. */
  currency: string | null;

  /** Which limits are near (80 %) or reached. Left out where none is. */
  notices?: string[];
}

/** A field that takes a budget, null for none. `AgentBudgetsService.parse` checks it. */
export function BudgetField(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ description, nullable: true, allOf: [{ $ref: getSchemaPath(AgentBudgetDto) }] }),
    OpaqueJson(),
    IsOptional(),
  ) as PropertyDecorator;
}

/** Of a controller whose bodies have such fields. */
export const WithBudgets = (): ClassDecorator => ApiExtraModels(AgentBudgetDto) as ClassDecorator;
