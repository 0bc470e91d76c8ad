import { Body, Delete, Get, HttpCode, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';

import { Access } from '../../core/access/index.js';
import { type OidcProviderSettings, Settings } from '../../core/config/index.js';
import type { GatehouseResponse } from '../../core/http/index.js';
import { patchSteps, type ScimObject } from './scim-body.js';
import { ScimController } from './scim-controller.decorator.js';
import { chosen, pageOf, ScimListQuery, ScimResourceQuery } from './scim-query.js';
import { listResponse, userResource } from './scim-resources.js';
import type { ScimUser } from './scim-user.entity.js';
import { ScimUsersService } from './scim-users.service.js';
import { FromDirectory } from './scim.guard.js';
import { patchUser, readUser } from './user-attributes.js';

@ScimController('Users')
export class ScimUsersController {
  constructor(
    private readonly users: ScimUsersService,
    private readonly settings: Settings,
  ) {}

  @Get()
  @Access('public')
  async list(
    @FromDirectory() provider: OidcProviderSettings,
    @Query() query: ScimListQuery,
  ): Promise<object> {
    const page = pageOf(query);
    return listResponse(await this.users.list(provider, page), page, query, (row) => this.present(row));
  }

  @Get(':id')
  @Access('public')
  async get(
    @FromDirectory() provider: OidcProviderSettings,
    @Param('id') id: string,
    @Query() query: ScimResourceQuery,
  ): Promise<object> {
    return chosen(this.present(await this.users.get(provider, id)), query);
  }

  @Post()
  @Access('public')
  async create(
    @FromDirectory() provider: OidcProviderSettings,
    @Body() body: ScimObject,
    @Res({ passthrough: true }) response: GatehouseResponse,
  ): Promise<object> {
    const row = await this.users.create(provider, { active: true, ...readUser(body) });
    response.setHeader('location', `${this.settings.baseUrl}/scim/v2/Users/${row.userId}`);
    return this.present(row);
  }

  @Put(':id')
  @Access('public')
  async replace(
    @FromDirectory() provider: OidcProviderSettings,
    @Param('id') id: string,
    @Body() body: ScimObject,
  ): Promise<object> {
    const user = readUser(body);
    return this.present(await this.users.change(provider, id, ({ active }) => ({ active, ...user })));
  }

  @Patch(':id')
  @Access('public')
  async patch(
    @FromDirectory() provider: OidcProviderSettings,
    @Param('id') id: string,
    @Body() body: ScimObject,
  ): Promise<object> {
    const steps = patchSteps(body);
    return this.present(await this.users.change(provider, id, (before) => patchUser(before, steps)));
  }

  @Delete(':id')
  @HttpCode(204)
  @Access('public')
  delete(@FromDirectory() provider: OidcProviderSettings, @Param('id') id: string): Promise<void> {
    return this.users.delete(provider, id);
  }

  private present(row: ScimUser): object {
    return userResource(row, this.settings.baseUrl);
  }
}
