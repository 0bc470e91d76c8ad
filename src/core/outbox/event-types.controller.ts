import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access } from '../access/index.js';
import { EventTypeList } from './event-type.dto.js';
import { EventTypes } from './event-types.js';

@ApiTags('Webhooks')
@Controller('v1/workspace/event-types')
export class EventTypesController {
  constructor(private readonly types: EventTypes) {}

  /** List every type of event that endpoints and triggers can subscribe to */
  @Get()
  @Access({ role: 'guest', reach: 'shared' })
  list(): EventTypeList {
    return {
      items: this.types.all().map(({ type, description, environmentScoped, schema, example }) => ({
        type,
        description,
        environmentScoped,
        schema,
        example,
      })),
    };
  }
}
