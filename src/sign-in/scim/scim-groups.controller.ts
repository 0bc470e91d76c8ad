import { Body, Delete, Get, HttpCode, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';

import { Access } from '../../core/access/index.js';
import { type OidcProviderSettings, Settings } from '../../core/config/index.js';
import type { GatehouseResponse } from '../../core/http/index.js';
import { patchGroup, readGroup } from './group-attributes.js';
import { patchSteps, type ScimObject } from './scim-body.js';
import { ScimController } from './scim-controller.decorator.js';
import { ScimGroupsService, type WholeGroup } from './scim-groups.service.js';
import { chosen, isWanted, pageOf, ScimListQuery, ScimResourceQuery } from './scim-query.js';
import { groupResource, listResponse } from './scim-resources.js';
import { FromDirectory } from './scim.guard.js';

@ScimController('Groups')
export class ScimGroupsController {
  constructor(
    private readonly groups: ScimGroupsService,
    private readonly settings: Settings,
  ) {}

  @Get()
  @Access('public')
  async list(
    @FromDirectory() provider: OidcProviderSettings,
    @Query() query: ScimListQuery,
  ): Promise<object> {
    const page = pageOf(query);
    return listResponse(await this.groups.list(provider, page), page, query, (row) => this.present(row));
  }

  @Get(':id')
  @Access('public')
  async get(
    @FromDirectory() provider: OidcProviderSettings,
    @Param('id') id: string,
    @Query() query: ScimResourceQuery,
  ): Promise<object> {
    return chosen(this.present(await this.groups.get(provider, id, isWanted('members', query))), query);
  }

  @Post()
  @Access('public')
  async create(
    @FromDirectory() provider: OidcProviderSettings,
    @Body() body: ScimObject,
    @Res({ passthrough: true }) response: GatehouseResponse,
  ): Promise<object> {
    const group = await this.groups.create(provider, readGroup(body));
    response.setHeader('location', `${this.settings.baseUrl}/scim/v2/Groups/${group.id}`);
    return this.present(group);
  }

  @Put(':id')
  @Access('public')
  async replace(
    @FromDirectory() provider: OidcProviderSettings,
    @Param('id') id: string,
    @Body() body: ScimObject,
  ): Promise<object> {
    const group = readGroup(body);
    await this.groups.change(provider, id, () => group);
    return this.present(await this.groups.get(provider, id, true));
  }

  /** Without a body: a group may be large. */
  @Patch(':id')
  @HttpCode(204)
  @Access('public')
  patch(
    @FromDirectory() provider: OidcProviderSettings,
    @Param('id') id: string,
    @Body() body: ScimObject,
  ): Promise<void> {
    const steps = patchSteps(body);
    return this.groups.change(provider, id, (before) => patchGroup(before, steps));
  }

  @Delete(':id')
  @HttpCode(204)
  @Access('public')
  delete(@FromDirectory() provider: OidcProviderSettings, @Param('id') id: string): Promise<void> {
    return this.groups.delete(provider, id);
  }

  private present(group: WholeGroup): object {
    return groupResource(group, this.settings.baseUrl);
  }
}
