import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';

import { Access } from '../core/access/index.js';
import { ForeignRequest, type GatehouseRequest, type GatehouseResponse } from '../core/http/index.js';
import { AuthorizationServer } from './authorization-server.service.js';

/**
 * The routes of OAuth 2.1. What they take and send is written in its specifications, and clients find them by
 * `/.well-known/oauth-authorization-server`; they are no part of our own interface.
 */
@ApiExcludeController()
@Controller('oauth')
export class OAuthController {
  constructor(private readonly server: AuthorizationServer) {}

  @Get('authorize')
  @Access('public')
  @ForeignRequest()
  authorize(@Req() request: GatehouseRequest, @Res() response: GatehouseResponse): Promise<void> {
    return this.server.handle(request, response);
  }

  @Get('authorize/:uid')
  @Access('public')
  @ForeignRequest()
  resume(@Req() request: GatehouseRequest, @Res() response: GatehouseResponse): Promise<void> {
    return this.server.handle(request, response);
  }

  @Post('token')
  @Access('public')
  @ForeignRequest()
  token(@Req() request: GatehouseRequest, @Res() response: GatehouseResponse): Promise<void> {
    return this.server.handle(request, response);
  }

  @Post('revoke')
  @Access('public')
  @ForeignRequest()
  revoke(@Req() request: GatehouseRequest, @Res() response: GatehouseResponse): Promise<void> {
    return this.server.handle(request, response);
  }

  @Post('register')
  @Access('public')
  @ForeignRequest()
  register(@Req() request: GatehouseRequest, @Res() response: GatehouseResponse): Promise<void> {
    return this.server.register(request, response);
  }

  @Post('device')
  @Access('public')
  @ForeignRequest()
  device(@Req() request: GatehouseRequest, @Res() response: GatehouseResponse): Promise<void> {
    return this.server.handle(request, response);
  }
}
