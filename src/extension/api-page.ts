import type { Type } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';

import { PageOf } from '../core/http/index.js';

/**
 * Describes in the OpenAPI document that a route gives a `Page` of these, so that clients which are made of the document know
 * what is in it.
 *
 * @param item a class whose fields have `@ApiProperty()`; the page is called after it, such as `TicketPage` after `TicketDto`
 * @example
 * ```ts
 * \@Get()
 * \@Access({ scope: 'tickets:read', role: 'member', reach: 'shared' })
 * \@ApiPage(TicketDto)
 * list(\@InWorkspace() caller: WorkspaceCaller, \@Query() page: PageQuery): Promise<Page<TicketDto>> {
 *   return this.tickets.list(caller, page);
 * }
 * ```
 */
export function ApiPage(item: Type): MethodDecorator {
  const type = PageOf(item);
  Object.defineProperty(type, 'name', { value: `${item.name.replace(/Dto$/, '')}Page` });
  return ApiOkResponse({ type });
}
