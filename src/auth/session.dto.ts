import { ApiProperty } from '@nestjs/swagger';

export class SessionDto {
  id: string;

  /** What signed in, as far as it says of itself: `Firefox on Windows`. */
  device: string;

  /** The address that it was last used from; null where that was not kept. */
  @ApiProperty({ type: String, nullable: true })
  address: string | null;

  /** Whether it is the one that asks. */
  current: boolean;

  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  /** To within a quarter of a minute. */
  @ApiProperty({ format: 'date-time' })
  lastUsedAt: string;

  @ApiProperty({ format: 'date-time' })
  expiresAt: string;
}

export class SessionPage {
  items: SessionDto[];

  @ApiProperty({ type: String, nullable: true })
  nextCursor: string | null;
}
