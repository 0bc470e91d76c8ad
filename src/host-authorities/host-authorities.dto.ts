import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';

import { MAX_PEM_LENGTH } from './read-certificates.js';

export class HostAuthoritiesInput {
  /** 1 to 20 certificates in PEM, and nothing else: of authorities, or a certificate that the host has signed by itself. */
  @ApiProperty({ maxLength: MAX_PEM_LENGTH })
  @MaxLength(MAX_PEM_LENGTH)
  @IsString()
  certificates: string;
}

export class AuthorityDto {
  subject: string;

  /** SHA-256 of the certificate, in hexadecimal with colons. */
  fingerprint: string;

  validFrom: string;

  validUntil: string;

  /** Nothing that it issued is trusted any more. */
  expired: boolean;
}

export class HostAuthoritiesDto {
  /** With its port, unless that is 443: `db.example.com:5432`, `api.example.com`, `*.example.com`. */
  host: string;

  certificates: AuthorityDto[];

  /** null where the person is gone. */
  createdByUserId: string | null;

  createdAt: string;

  updatedAt: string;
}

export class HostAuthoritiesList {
  /** By host, 20 at most. */
  items: HostAuthoritiesDto[];
}
