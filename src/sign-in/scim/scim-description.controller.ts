import { Get, Param } from '@nestjs/common';

import { Access } from '../../core/access/index.js';
import { Settings } from '../../core/config/index.js';
import { NotFound } from '../../core/errors/index.js';
import { ScimController } from './scim-controller.decorator.js';
import { listOf, resourceTypes, schemas, serviceProviderConfig } from './scim-schemas.js';

/** What a directory can ask about the service itself. */
@ScimController('')
export class ScimDescriptionController {
  private readonly types: Record<string, object>;
  private readonly schemasById: Record<string, object>;

  constructor(private readonly settings: Settings) {
    this.types = resourceTypes(settings.baseUrl);
    this.schemasById = schemas(settings.baseUrl);
  }

  @Get('ServiceProviderConfig')
  @Access('public')
  config(): object {
    return serviceProviderConfig(this.settings.baseUrl);
  }

  @Get('ResourceTypes')
  @Access('public')
  listTypes(): object {
    return listOf(this.types);
  }

  @Get('ResourceTypes/:name')
  @Access('public')
  type(@Param('name') name: string): object {
    return found(this.types, name, 'type of resources');
  }

  @Get('Schemas')
  @Access('public')
  listSchemas(): object {
    return listOf(this.schemasById);
  }

  @Get('Schemas/:id')
  @Access('public')
  schema(@Param('id') id: string): object {
    return found(this.schemasById, id, 'schema');
  }
}

/** @throws NotFound */
function found(all: Record<string, object>, id: string, what: string): object {
  const one = Object.hasOwn(all, id) ? all[id] : undefined;
  if (!one) throw new NotFound(what);
  return one;
}
