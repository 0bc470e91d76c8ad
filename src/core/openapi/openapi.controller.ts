import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Access } from '../access/index.js';
import { ApiFixedResponse, FixedResponse } from '../http/index.js';
import { OpenApiDocumentFactory } from './open-api-document-factory.js';

@Controller('v1')
@ApiTags('Service')
export class OpenApiController {
  private body: FixedResponse | null = null;

  constructor(private readonly description: OpenApiDocumentFactory) {}

  /**
   * Get this description of the interface.
   *
   * @remarks An OpenAPI 3.1 document. `/docs` shows it as a page.
   */
  @Get('openapi.json')
  @Access('public')
  @ApiFixedResponse({ schema: { type: 'object', additionalProperties: true } })
  document(): FixedResponse {
    // Made at the first request, and kept as its text only.
    this.body ??= new FixedResponse(
      JSON.stringify(this.description.build()),
      'application/json; charset=utf-8',
      'no-store',
    );
    return this.body;
  }
}
