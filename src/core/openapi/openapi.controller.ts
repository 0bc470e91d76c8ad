import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access } from '../access/access.decorator.js';
import { AnswersFixed } from '../http/fixed-answer.decorator.js';
import { FixedAnswer } from '../http/fixed-answer.js';
import type { GatehouseReply, GatehouseRequest } from '../http/request.js';
import { ApiDescription } from './api-description.js';

@Controller('v1')
@ApiTags('Service')
export class OpenApiController {
  private answer: FixedAnswer | null = null;

  constructor(private readonly description: ApiDescription) {}

  /**
   * Get this description of the interface.
   *
   * @remarks An OpenAPI 3.1 document. `/docs` shows it as a page.
   */
  @Get('openapi.json')
  @Access('public')
  @AnswersFixed({ schema: { type: 'object', additionalProperties: true } })
  document(
    @Req() request: GatehouseRequest,
    @Res({ passthrough: true }) reply: GatehouseReply,
  ): Buffer | undefined {
    // Only its text is kept, and only once somebody has asked.
    this.answer ??= new FixedAnswer(
      JSON.stringify(this.description.build()),
      'application/json; charset=utf-8',
      'no-store',
    );
    return this.answer.send(request, reply);
  }
}
