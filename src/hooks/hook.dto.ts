import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsInt,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  MinLength,
} from 'class-validator';

import { IfGiven, IsLine, JsonObject, PageOf, PatchOf } from '../core/http/index.js';
import { RunScriptDto } from '../runs/index.js';
import { type ReceiptVerdict, VERDICTS } from './hook-receipt.entity.js';
import { HEADER } from './verify/parse-verify.js';
import type { VerifyConfig } from './verify/verify-config.js';
import { VERIFY_SCHEMA } from './verify/verify-schema.js';

const OBJECT = { type: 'object', additionalProperties: true } as const;
const FILTER = {
  ...OBJECT,
  example: { 'body.action': 'opened' },
  description:
    "Dotted paths of the request, each with the JSON value that must be there for a run to start: `body.…`, `headers.…` (in small letters) and `query.…`, as a trigger's filter has them. At most 50 paths.",
} as const;
const INPUTS = {
  ...OBJECT,
  example: { number: '{{request.body.pull_request.number}}', event: '{{request.headers.x-github-event}}' },
  description:
    'The inputs of the runs. `{{request.body.<path>}}`, `{{request.headers.<name>}}` and `{{request.query.<name>}}` take a value from the request, as `{{event.data.<path>}}` of a trigger does from its event. `{{request.body}}` is all of it: of JSON the value, of a form its fields, and otherwise the text.',
} as const;

export class HookInput {
  @Length(1, 100)
  @IsLine()
  name: string;

  @ApiProperty(VERIFY_SCHEMA)
  @JsonObject()
  verify: Record<string, unknown>;

  /** Headers to keep besides the usual ones, in small letters. Those that prove who sends are never kept. */
  @ApiPropertyOptional({ default: [], maxItems: 20, items: { type: 'string', pattern: HEADER.source } })
  @Matches(HEADER, { each: true, message: 'must be the name of a header in small letters' })
  @ArrayMaxSize(20)
  @IsArray()
  @IfGiven()
  headers?: string[];

  @ApiPropertyOptional({ ...FILTER, default: {} })
  @JsonObject()
  @IfGiven()
  filter?: Record<string, unknown>;

  @ApiPropertyOptional({ ...INPUTS, default: {} })
  @JsonObject()
  @IfGiven()
  inputs?: Record<string, unknown>;

  /** Whether the sender waits for the run, for up to 10 seconds, and gets its output. */
  @ApiPropertyOptional({ default: false })
  @IsBoolean()
  @IfGiven()
  respond?: boolean;

  /** The environment whose secrets verify requests and in which its runs are, by name. Without it: the one that the request acts in. */
  @MinLength(1)
  @IsString()
  @IfGiven()
  environment?: string;
}

export class HookPatch extends PatchOf(HookInput, ['name', 'headers', 'respond']) {
  @ApiPropertyOptional(VERIFY_SCHEMA)
  @JsonObject()
  @IfGiven()
  verify?: Record<string, unknown>;

  @ApiPropertyOptional({ ...FILTER, description: `${FILTER.description} It replaces the earlier one.` })
  @JsonObject()
  @IfGiven()
  filter?: Record<string, unknown>;

  @ApiPropertyOptional({ ...INPUTS, description: `${INPUTS.description} They replace the earlier ones.` })
  @JsonObject()
  @IfGiven()
  inputs?: Record<string, unknown>;

  /** Switches it off and on. While it is off, its address does not exist. */
  @IsBoolean()
  @IfGiven()
  enabled?: boolean;

  /** Moves it to another environment, by name. */
  @MinLength(1)
  @IsString()
  @IfGiven()
  environment?: string;
}

export class HookDto {
  id: string;

  name: string;

  /** What a request starts. */
  script: RunScriptDto;

  /** The name of the environment whose secrets verify requests and in which its runs are. */
  environment: string;

  @ApiProperty(VERIFY_SCHEMA)
  verify: VerifyConfig;

  headers: string[];

  @ApiProperty(OBJECT)
  filter: Record<string, unknown>;

  @ApiProperty(OBJECT)
  inputs: Record<string, unknown>;

  respond: boolean;

  enabled: boolean;

  /** Why the system switched it off. null while it is on, and where somebody switched it off. */
  disabledReason: string | null;

  /** Whom its runs are started as. null where an API key made it. */
  createdByUserId: string | null;

  /** To the minute. */
  lastReceivedAt: string | null;
}

export class NewHookDto extends HookDto {
  /** Where requests go. Shown here only: whoever has it can send, as far as `verify` lets them. */
  @ApiProperty({ example: 'https://gatehouse.example/hooks/0Ck2…' })
  url: string;

  /** What to know about the new hook, such as that a secret of `verify` has no value yet. */
  warning?: string;
}

export class HookPage extends PageOf(HookDto) {}

export class HookReceiptDto {
  id: string;

  receivedAt: string;

  /** `accepted`: it started a run. `filtered`, `duplicate` and `handshake` started nothing, and `refused` was not verified or could not be used. */
  @ApiProperty({ enum: VERDICTS })
  verdict: ReceiptVerdict;

  /** Why it was refused, or which part of the filter did not fit. */
  reason: string | null;

  /** The sender's own name for the request. */
  providerId: string | null;

  /** Of the body. */
  bytes: number;

  runId: string | null;
}

export class HookReceiptPage extends PageOf(HookReceiptDto) {}

export class HookReceiptDetailDto extends HookReceiptDto {
  /** Those that are kept. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  headers: Record<string, string>;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  query: Record<string, string>;

  /** null of a request that started no run: its body is not kept. */
  body: string | null;

  /** `base64` where the body is no text. */
  @ApiProperty({ enum: ['utf8', 'base64'] })
  bodyEncoding: 'utf8' | 'base64';
}

export class HookReplayInput {
  /** The version to run, published or not, as a test. Without it: the published one. */
  @ApiPropertyOptional({ minimum: 1, maximum: 2_147_483_647 })
  @Max(2_147_483_647)
  @Min(1)
  @IsInt()
  @IfGiven()
  version?: number;
}

export class HookTakenDto {
  /** Of the receipt. */
  @ApiProperty({ example: 'rcp_01k7q3v5yzf8c9m2n4p6r8t0vw' })
  id: string;
}
