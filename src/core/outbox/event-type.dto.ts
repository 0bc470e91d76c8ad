import { ApiProperty } from '@nestjs/swagger';

const OBJECT = { type: 'object', additionalProperties: true } as const;

export class EventTypeDto {
  /** What an endpoint's `eventTypes` and a trigger's `eventType` name. */
  @ApiProperty({ example: 'run.failed' })
  type: string;

  /** What has happened when it is sent. */
  description: string;

  /** Whether it belongs to one environment, and only that environment's endpoints and triggers get it. */
  environmentScoped: boolean;

  /** JSON Schema of the event's `data`. Fields are only ever added. */
  @ApiProperty(OBJECT)
  schema: Record<string, unknown>;

  /** An example of `data`. */
  @ApiProperty(OBJECT)
  example: Record<string, unknown>;
}

export class EventTypeList {
  items: EventTypeDto[];
}
