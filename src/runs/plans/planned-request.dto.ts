import { ApiProperty } from '@nestjs/swagger';

import { WITHHELD_PROTOCOLS } from '../../../libs/egress/index.js';
import { PageOf } from '../../core/http/index.js';
import type { PlannedProtocol } from './planned-request.entity.js';

export class PlannedHeaderDto {
  name: string;

  /** `***` where its name says that it is a secret. */
  value: string;
}

export class PlannedBodyDto {
  /** Up to 64 KiB of text, its secrets masked; null: it is longer, no text, or beyond the 1 MiB of a plan. */
  text: string | null;

  bytes: number;

  /** In hexadecimal, where there is no text. */
  sha256: string | null;
}

export class PlannedRequestDto {
  /** Counted from 1, in the order in which the script sent them. */
  @ApiProperty({ type: 'integer' })
  number: number;

  at: string;

  @ApiProperty({ enum: WITHHELD_PROTOCOLS, enumName: 'PlannedProtocol' })
  protocol: PlannedProtocol;

  /** With its port where that is not 443. */
  host: string;

  /** Of PostgreSQL, the command of the statement; `CONNECT` of a connection by TLS or TCP. */
  method: string;

  /** Path and query; of PostgreSQL, the database. */
  target: string;

  headers: PlannedHeaderDto[];

  body: PlannedBodyDto;
}

export class PlannedRequestPage extends PageOf(PlannedRequestDto) {}
