import { ApiProperty } from '@nestjs/swagger';

import { SCOPES } from '../core/access/index.js';

export class AppWorkspaceDto {
  slug: string;

  name: string;
}

export class ConnectedAppDto {
  id: string;

  /** What the app calls itself. */
  name: string;

  /** The host that describes it; null where nothing vouches for the name. */
  @ApiProperty({ type: String, nullable: true })
  host: string | null;

  workspace: AppWorkspaceDto;

  /** The only environment in which it may act; null for all. */
  @ApiProperty({ type: String, nullable: true })
  environment: string | null;

  @ApiProperty({ enum: SCOPES, isArray: true })
  scopes: string[];

  /** Within a quarter of a minute; null if never. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  lastUsedAt: string | null;

  /** When it has to ask again, unless it is used before. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  expiresAt: string | null;

  @ApiProperty({ format: 'date-time' })
  createdAt: string;
}

export class ConnectedAppPage {
  items: ConnectedAppDto[];

  @ApiProperty({ type: String, nullable: true })
  nextCursor: string | null;
}
