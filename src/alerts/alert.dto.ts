import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Max,
  MaxLength,
  Min,
} from 'class-validator';

import { IfGiven, IsLine, PageOf, PatchOf, Seconds, secondsForm } from '../core/http/index.js';
import { MESSAGE_STATUSES, type MessageStatus } from './sending/alert-message.entity.js';
import { NAMED_CONDITIONS, type NamedCondition } from './alert.conditions.js';

const GROUP = { type: 'integer', minimum: 10, maximum: 3600, default: 300 } as const;
export const MOST_RECIPIENTS = 20;

export class SlowDto {
  /** A run that takes longer than so many seconds; null: the factor alone counts. */
  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 1, maximum: 604_800 })
  seconds: number | null;

  /** One that takes longer than so many times what 95 % of the newest successes of its script took; there must be 20 of them. null: the seconds alone count. */
  @ApiPropertyOptional({ type: 'number', format: 'double', nullable: true, minimum: 1, maximum: 100 })
  factor: number | null;
}

/** A run that takes long. */
export class SlowInput {
  /** One that takes longer than so many seconds, or than a text such as `5m` says; null: the factor alone counts. */
  @ApiPropertyOptional(secondsForm({ type: 'integer', minimum: 1, maximum: 604_800, nullable: true }))
  seconds?: number | string | null;

  /** One that takes longer than so many times what 95 % of the newest successes of its script took; there must be 20 of them. null: the seconds alone count. */
  @ApiPropertyOptional({ type: 'number', format: 'double', nullable: true, minimum: 1, maximum: 100 })
  factor?: number | null;
}

export class QuietHoursDto {
  /** When it begins, as a clock shows it. */
  @ApiProperty({ example: '22:00', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' })
  from: string;

  /** When it ends. Earlier than it begins: on the next day. */
  @ApiProperty({ example: '07:00', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' })
  to: string;

  /** A name of the IANA database. */
  @ApiProperty({ example: 'Europe/Berlin' })
  timeZone: string;
}

export class AlertDestinationInput {
  /** `mail`, `slack`, `mattermost`, `teams`, `ntfy`, `pagerduty`, `webhook`, or a channel of an extension. */
  @ApiProperty({ example: 'slack', maxLength: 60 })
  channel: string;

  /** Where the channel takes an address: an https URL on a public host. It is a secret, and never shown again. */
  @ApiPropertyOptional({ format: 'uri', pattern: '^https://', maxLength: 2048 })
  url?: string;

  /** For `mail`: addresses of members. Left out: all owners and admins, whoever they are then. */
  @ApiPropertyOptional({ type: [String], maxItems: MOST_RECIPIENTS })
  to?: string[];
}

export class AlertDestinationDto {
  channel: string;

  /** Of the address, all of it that is shown; null where the channel takes none. */
  host: string | null;

  /** Addresses of members; none: all owners and admins. */
  to: string[];
}

const SLOW = { type: SlowDto, nullable: true } as const;
const SLOW_INPUT = { type: SlowInput, nullable: true } as const;
const NOT_SUCCEEDED = {
  type: String,
  nullable: true,
  pattern: '^[1-9][0-9]{0,5}[smhd]$',
  example: '26h',
} as const;
const NOT_SUCCEEDED_FOR = secondsForm({ type: 'integer', minimum: 60, maximum: 31_622_400, nullable: true });
const QUIET = { type: QuietHoursDto, nullable: true } as const;

export class AlertInput {
  @Length(1, 100)
  @IsLine()
  name: string;

  /** The slug of the only script that it is about. Left out, or null: all of them. */
  @ApiPropertyOptional({ type: String, nullable: true })
  @MaxLength(100)
  @IsString()
  @IsOptional()
  script?: string | null;

  /** The only schedule whose runs it is about. Left out, or null: whatever starts them. The rule is deleted with it. */
  @ApiPropertyOptional({ type: String, nullable: true })
  @MaxLength(100)
  @IsString()
  @IsOptional()
  schedule?: string | null;

  /**
   * `failed`: each run that fails. `firstFailure`: one that fails after its script had succeeded. `recovered`: one that succeeds
   * after a failure. `error.new`: one that fails in a way that is new for its script, or that was resolved before.
   * `run.unplaceable`: one that waits for a worker with tags that none carries. The others are about what is not a run. Tests count for nothing.
   */
  @ApiPropertyOptional({ enum: NAMED_CONDITIONS, isArray: true, default: [] })
  @ArrayUnique({ message: 'must not name a condition twice' })
  @IsIn(NAMED_CONDITIONS, { each: true, message: `must be of ${NAMED_CONDITIONS.join(', ')}` })
  @ArrayMaxSize(NAMED_CONDITIONS.length)
  @IsArray({ message: 'must be a list' })
  @IfGiven()
  on?: NamedCondition[];

  /** Runs that take long. Left out, or null: none. */
  @ApiPropertyOptional(SLOW_INPUT)
  @IsObject()
  @IsOptional()
  slow?: SlowInput | null;

  /**
   * Tells once where no run has succeeded for as long: a text such as `26h` or a number of seconds, from a minute to a year. It takes a
   * `script` or a `schedule`.
   */
  @ApiPropertyOptional(NOT_SUCCEEDED_FOR)
  @Seconds()
  @IsInt({ message: 'must be a number with s, m, h or d, such as 26h' })
  @IsOptional()
  notSucceededFor?: number | null;

  /** Where messages go. */
  @IsObject()
  destination: AlertDestinationInput;

  /** What happens within as many seconds after a message is one message. A text such as `5m` may be given. */
  @ApiPropertyOptional(secondsForm(GROUP))
  @Seconds()
  @Max(GROUP.maximum)
  @Min(GROUP.minimum)
  @IsInt()
  @IfGiven()
  groupSeconds?: number;

  /** When messages wait. Left out, or null: never. */
  @ApiPropertyOptional(QUIET)
  @IsObject()
  @IsOptional()
  quietHours?: QuietHoursDto | null;

  /** While it is false, nothing is noted. */
  @IsBoolean()
  @IfGiven()
  enabled?: boolean;
}

export class AlertPatch extends PatchOf(AlertInput, [
  'name',
  'on',
  'destination',
  'groupSeconds',
  'enabled',
]) {
  /** null: none. */
  @ApiPropertyOptional(SLOW_INPUT)
  @IsObject()
  @IsOptional()
  slow?: SlowInput | null;

  /** null: not told. */
  @ApiPropertyOptional(NOT_SUCCEEDED_FOR)
  @Seconds()
  @IsInt({ message: 'must be a number with s, m, h or d, such as 26h' })
  @IsOptional()
  notSucceededFor?: number | null;

  /** null: never. */
  @ApiPropertyOptional(QUIET)
  @IsObject()
  @IsOptional()
  quietHours?: QuietHoursDto | null;
}

export class AlertDto {
  id: string;

  name: string;

  /** The slug of the only script that it is about; null: all of them. */
  script: string | null;

  /** The only schedule whose runs it is about; null: whatever starts them. */
  schedule: string | null;

  @ApiProperty({ enum: NAMED_CONDITIONS, isArray: true })
  on: NamedCondition[];

  @ApiProperty(SLOW)
  slow: SlowDto | null;

  @ApiProperty(NOT_SUCCEEDED)
  notSucceededFor: string | null;

  destination: AlertDestinationDto;

  @ApiProperty(GROUP)
  groupSeconds: number;

  @ApiProperty(QUIET)
  quietHours: QuietHoursDto | null;

  enabled: boolean;

  /** Of `notSucceededFor`: when it tells; null: it does not, or has told and waits for a success. */
  deadlineAt: string | null;

  /** null where an API key made it. */
  createdByUserId: string | null;

  createdAt: string;

  updatedAt: string;
}

export class AlertPage extends PageOf(AlertDto) {}

export class AlertMessageDto {
  id: string;

  /** `waiting` takes in what else happens; `sending` is attempted until it is `sent` or has `failed`. */
  @ApiProperty({ enum: MESSAGE_STATUSES })
  status: MessageStatus;

  /** Somebody tried the rule. */
  test: boolean;

  /** How many events it tells of. */
  count: number;

  /** How many of each condition. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' } })
  conditions: Record<string, number>;

  /** What happened first, in a line; null for a test. */
  text: string | null;

  /** The newest run that it tells of and whose log it ends with. */
  runId: string | null;

  attempts: number;

  /** Why the last attempt failed. */
  error: string | null;

  /** When it is begun, or attempted again; null: it is over. */
  dueAt: string | null;

  sentAt: string | null;

  createdAt: string;
}

export class AlertMessagePage extends PageOf(AlertMessageDto) {}
