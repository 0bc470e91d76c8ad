import { ApiProperty } from '@nestjs/swagger';

import { SCOPES } from '../core/access/index.js';
import { PageOf } from '../core/http/index.js';

export class AppWorkspaceDto {
  slug: string;

  name: string;
}

export class ConnectedAppDto {
  id: string;

  /** What the app calls itself. */
  name: string;

  /** The host that describes it; null where nothing vouches for the name. */
  host: string | null;

  workspace: AppWorkspaceDto;

  /** The only environment in which it may act; null for all. */
  environment: string | null;

  @ApiProperty({ enum: SCOPES, isArray: true })
  scopes: string[];

  /** Within a quarter of a minute; null if never. */
  lastUsedAt: string | null;

  /** When it has to ask again, unless it is used before. */
  expiresAt: string | null;

  createdAt: string;
}

export class ConnectedAppPage extends PageOf(ConnectedAppDto) {}
