import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsOptional,
  IsString,
  MaxLength,
  ValidateBy,
} from 'class-validator';

import { IsLine, PageOf, PatchOf } from '../core/http/index.js';
import { MAX_URL_LENGTH, urlProblem } from './endpoint-url.js';

const MAX_DESCRIPTION = 500;
const MOST_TYPES = 100;

const DESCRIPTION = { type: String, nullable: true, maxLength: MAX_DESCRIPTION, required: false };
const EVENT_TYPES = {
  type: [String],
  nullable: true,
  minItems: 1,
  maxItems: MOST_TYPES,
  uniqueItems: true,
  required: false,
} satisfies ApiPropertyOptions;

function IsEndpointUrl(): PropertyDecorator {
  return ValidateBy({
    name: 'isEndpointUrl',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && urlProblem(value) === null,
      defaultMessage: (argument) =>
        typeof argument?.value === 'string'
          ? (urlProblem(argument.value) ?? 'is refused')
          : 'must be a string',
    },
  });
}

export class EndpointInput {
  /**
   * Where events are sent: an https URL on a public host, without credentials or a fragment. A host that is private, also by what its name
   * stands for, is refused.
   */
  @ApiProperty({ format: 'uri', pattern: '^https://', maxLength: MAX_URL_LENGTH })
  @IsEndpointUrl()
  url: string;

  /** What it is for. */
  @ApiProperty(DESCRIPTION)
  @IsOptional()
  @MaxLength(MAX_DESCRIPTION)
  @IsLine()
  description?: string | null;

  /** Which events it gets. Leave it out for every event, also of types to come. */
  @ApiProperty(EVENT_TYPES)
  @IsOptional()
  @ArrayUnique({ message: 'must not name a type twice' })
  @IsString({ each: true, message: 'must be a list of texts' })
  @ArrayMaxSize(MOST_TYPES)
  @ArrayMinSize(1, { message: 'must name at least one type; leave it out for every event' })
  @IsArray({ message: 'must be a list' })
  eventTypes?: string[] | null;
}

export class EndpointPatch extends PatchOf(EndpointInput, ['url']) {
  /** null takes it away. */
  @ApiProperty(DESCRIPTION)
  @IsOptional()
  @MaxLength(MAX_DESCRIPTION)
  @IsLine()
  description?: string | null;

  /** null for every event. */
  @ApiProperty(EVENT_TYPES)
  @IsOptional()
  @ArrayUnique({ message: 'must not name a type twice' })
  @IsString({ each: true, message: 'must be a list of texts' })
  @ArrayMaxSize(MOST_TYPES)
  @ArrayMinSize(1, { message: 'must name at least one type; null stands for every event' })
  @IsArray({ message: 'must be a list' })
  eventTypes?: string[] | null;
}

export class WebhookEndpointDto {
  id: string;

  @ApiProperty({ format: 'uri' })
  url: string;

  description: string | null;

  /** Becomes false after 20 failed attempts in a row, retries, tests and redeliveries included, and when the receiver answers 410. */
  enabled: boolean;

  /** null: every event. */
  eventTypes: string[] | null;

  /** The environment that it belongs to: it gets that one's events and those without one. */
  environment: string | null;

  consecutiveFailures: number;

  /** The HTTP status of the last attempt; null where there was none. */
  lastStatus: number | null;

  lastAttemptAt: string | null;

  createdAt: string;
}

export class WebhookEndpointCreatedDto {
  endpoint: WebhookEndpointDto;

  /** What deliveries are signed with. Shown this once. */
  @ApiProperty({ pattern: '^whsec_' })
  secret: string;
}

export class WebhookEndpointPage extends PageOf(WebhookEndpointDto) {}
