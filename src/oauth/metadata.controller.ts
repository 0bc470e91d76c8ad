import { Controller, Get, Header, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';

import { Access } from '../core/access/index.js';
import { type FixedResponse, FixedResponseInterceptor } from '../core/http/index.js';
import { ServerMetadata } from './server-metadata.js';

const ANY_ORIGIN = ['access-control-allow-origin', '*'] as const;

/** Where clients look first, by their specifications. */
@ApiExcludeController()
@Controller('.well-known')
@UseInterceptors(FixedResponseInterceptor)
export class MetadataController {
  constructor(private readonly metadata: ServerMetadata) {}

  @Get('oauth-authorization-server')
  @Access('public')
  @Header(...ANY_ORIGIN)
  server(): FixedResponse {
    return this.metadata.server;
  }

  /** The only one that a client finds where a proxy serves us below a path of its host. */
  @Get('openid-configuration')
  @Access('public')
  @Header(...ANY_ORIGIN)
  sameServer(): FixedResponse {
    return this.metadata.server;
  }

  @Get('oauth-protected-resource')
  @Access('public')
  @Header(...ANY_ORIGIN)
  service(): FixedResponse {
    return this.metadata.resource;
  }

  @Get('oauth-protected-resource/mcp')
  @Access('public')
  @Header(...ANY_ORIGIN)
  resource(): FixedResponse {
    return this.metadata.resource;
  }
}
