import { Controller, Get, Header, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';

import { Access } from '../core/access/index.js';
import type { GatehouseRequest, GatehouseResponse } from '../core/http/index.js';
import { ServerMetadata } from './server-metadata.js';

type Sent = Buffer | undefined;

const ANY_ORIGIN = ['access-control-allow-origin', '*'] as const;

/** Where clients look first, by their specifications. */
@ApiExcludeController()
@Controller('.well-known')
export class MetadataController {
  constructor(private readonly metadata: ServerMetadata) {}

  @Get('oauth-authorization-server')
  @Access('public')
  @Header(...ANY_ORIGIN)
  server(@Req() request: GatehouseRequest, @Res({ passthrough: true }) response: GatehouseResponse): Sent {
    return this.metadata.server.send(request, response);
  }

  /** The only one that a client finds where a proxy serves us below a path of its host. */
  @Get('openid-configuration')
  @Access('public')
  @Header(...ANY_ORIGIN)
  sameServer(
    @Req() request: GatehouseRequest,
    @Res({ passthrough: true }) response: GatehouseResponse,
  ): Sent {
    return this.metadata.server.send(request, response);
  }

  @Get('oauth-protected-resource')
  @Access('public')
  @Header(...ANY_ORIGIN)
  service(@Req() request: GatehouseRequest, @Res({ passthrough: true }) response: GatehouseResponse): Sent {
    return this.metadata.resource.send(request, response);
  }

  @Get('oauth-protected-resource/mcp')
  @Access('public')
  @Header(...ANY_ORIGIN)
  resource(@Req() request: GatehouseRequest, @Res({ passthrough: true }) response: GatehouseResponse): Sent {
    return this.metadata.resource.send(request, response);
  }
}
