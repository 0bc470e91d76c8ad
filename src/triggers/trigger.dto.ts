import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsString, Length, MinLength } from 'class-validator';

import { IfGiven, IsLine, JsonObject, PageOf, PatchOf } from '../core/http/index.js';
import { RunScriptDto } from '../runs/index.js';

const FILTER = {
  type: 'object',
  additionalProperties: true,
  example: { 'script.slug': 'nightly-report' },
  description:
    "Dotted paths under the event's `data`, each with the JSON value that must be there for the trigger to fire. `items.0` is the first item of a list. A path that leads nowhere fits nothing; `null` fits only null. At most 50 paths.",
} as const;
const INPUTS = {
  type: 'object',
  additionalProperties: true,
  example: { failed: '{{event.data.runId}}', text: 'It said: {{event.data.error}}' },
  description:
    "The inputs of the runs. `{{event.data.<path>}}` takes a value from the event: alone, it keeps the value's type, and the input is left out where the event has none; within a text it is the value as text, objects and lists as compact JSON. Texts within objects and lists are filled in as well. Anything else in double braces that begins with `event` is refused, and other braces are just text.",
} as const;
const OBJECT = { type: 'object', additionalProperties: true } as const;

export class TriggerInput {
  @Length(1, 100)
  @IsLine()
  name: string;

  /** One of `GET /v1/workspace/event-types`. */
  @ApiProperty({ example: 'run.failed' })
  @MinLength(1)
  @IsString()
  eventType: string;

  @ApiPropertyOptional({ ...FILTER, default: {} })
  @JsonObject()
  @IfGiven()
  filter?: Record<string, unknown>;

  @ApiPropertyOptional({ ...INPUTS, default: {} })
  @JsonObject()
  @IfGiven()
  inputs?: Record<string, unknown>;

  /** The environment whose events it gets and in which its runs are, by name. Without it: the one that the request acts in. */
  @MinLength(1)
  @IsString()
  @IfGiven()
  environment?: string;
}

export class TriggerPatch extends PatchOf(TriggerInput, ['name']) {
  @ApiPropertyOptional({ ...FILTER, description: `${FILTER.description} It replaces the earlier one.` })
  @JsonObject()
  @IfGiven()
  filter?: Record<string, unknown>;

  @ApiPropertyOptional({ ...INPUTS, description: `${INPUTS.description} They replace the earlier ones.` })
  @JsonObject()
  @IfGiven()
  inputs?: Record<string, unknown>;

  /** Switches it off and on. What happened while it was off does not fire it later. */
  @IsBoolean()
  @IfGiven()
  enabled?: boolean;

  /** Moves it to another environment, by name. */
  @MinLength(1)
  @IsString()
  @IfGiven()
  environment?: string;
}

export class TriggerDto {
  id: string;

  name: string;

  /** What an event starts. */
  script: RunScriptDto;

  /** The name of the environment whose events it gets, besides those of the whole workspace, and in which its runs are. */
  environment: string;

  eventType: string;

  @ApiProperty(OBJECT)
  filter: Record<string, unknown>;

  @ApiProperty(OBJECT)
  inputs: Record<string, unknown>;

  enabled: boolean;

  /** Why the system switched it off. null while it is on, and where somebody switched it off. */
  disabledReason: string | null;

  /** Whom its runs are started as. null where an API key made it. */
  createdByUserId: string | null;

  lastFiredAt: string | null;
}

export class TriggerPage extends PageOf(TriggerDto) {}

export class TriggerTestInput {
  /** An event as a webhook endpoint would get it. Only `data` is needed; `type` is compared where it is given. */
  @ApiProperty({ ...OBJECT, example: { type: 'run.failed', data: { error: 'exit code 3' } } })
  @JsonObject()
  event: Record<string, unknown>;
}

export class TriggerTestDto {
  /** Whether the event would start a run. */
  fires: boolean;

  /** Why it would not, or why its run would fail; null where it would start one that fits the script. */
  reason: string | null;

  /** The run's inputs; null where there would be no run. */
  @ApiProperty({ ...OBJECT, nullable: true })
  inputs: Record<string, unknown> | null;
}
