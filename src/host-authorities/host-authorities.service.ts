import { X509Certificate } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { cutText } from '../../libs/cut-text/index.js';
import { InvalidHost, parseHost } from '../../libs/egress/index.js';
import { AuditTrail } from '../audit/index.js';
import type { WorkspaceCaller } from '../core/access/index.js';
import { newId } from '../core/crypto/index.js';
import { Database } from '../core/database/index.js';
import { Conflict, InvalidRequest, NotFound } from '../core/errors/index.js';
import { Outbox } from '../core/outbox/index.js';
import type {
  AuthorityDto,
  HostAuthoritiesDto,
  HostAuthoritiesInput,
  HostAuthoritiesList,
} from './host-authorities.dto.js';
import type { HostAuthorities } from './host-authorities.entity.js';
import { HostAuthoritiesRepository } from './host-authorities.repository.js';
import { pemOf, readCertificates } from './read-certificates.js';

const MOST_HOSTS = 20;
const MAX_SUBJECT_LENGTH = 300;
const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** By what the certificates of hosts are checked that no public authority has issued. */
@Injectable()
export class HostAuthoritiesService {
  constructor(
    private readonly authorities: HostAuthoritiesRepository,
    private readonly database: Database,
    private readonly audit: AuditTrail,
    private readonly outbox: Outbox,
  ) {}

  async list({ workspace }: WorkspaceCaller): Promise<HostAuthoritiesList> {
    return { items: (await this.authorities.list(workspace.id)).map(present) };
  }

  /** @throws InvalidRequest, or Conflict where too many hosts have some */
  async set(
    caller: WorkspaceCaller,
    hostText: string,
    { certificates: text }: HostAuthoritiesInput,
  ): Promise<HostAuthoritiesDto> {
    const host = hostOf(hostText);
    const read = readCertificates(text);
    if ('problem' in read) throw InvalidRequest.at('certificates', read.problem);
    const certificates = pemOf(read.certificates);
    const workspaceId = caller.workspace.id;
    return this.database.transaction(async () => {
      await this.authorities.takeTurn(workspaceId);
      const before = await this.authorities.find(workspaceId, host);
      if (before?.certificates === certificates) return present(before);
      const id = before?.id ?? newId('hostAuthorities');
      if (before) await this.authorities.replace(id, certificates);
      else {
        if ((await this.authorities.hosts(workspaceId)).length >= MOST_HOSTS)
          throw new Conflict(
            `A workspace has authorities for at most ${MOST_HOSTS} hosts. Delete some first.`,
          );
        const createdByUserId = caller.person?.id ?? null;
        await this.authorities.insert({ id, workspaceId, host, certificates, createdByUserId });
      }
      const after = await this.authorities.find(workspaceId, host);
      await this.record(caller, 'host_authorities.set', { id, host }, fingerprints(read.certificates));
      return present(after!);
    });
  }

  delete(caller: WorkspaceCaller, hostText: string): Promise<void> {
    const host = hostOf(hostText);
    const workspaceId = caller.workspace.id;
    return this.database.transaction(async () => {
      await this.authorities.takeTurn(workspaceId);
      const found = await this.authorities.find(workspaceId, host);
      if (!found) throw new NotFound('host with authorities');
      await this.authorities.delete(found.id);
      await this.record(caller, 'host_authorities.deleted', found, []);
    });
  }

  private async record(
    caller: WorkspaceCaller,
    action: 'host_authorities.set' | 'host_authorities.deleted',
    { id, host }: Pick<HostAuthorities, 'id' | 'host'>,
    now: string[],
  ): Promise<void> {
    const workspaceId = caller.workspace.id;
    const data = { host, fingerprints: now };
    await this.outbox.add({ workspaceId, environmentId: null, type: 'host_authorities.updated', data });
    const target = { type: 'host_authorities', id };
    await this.audit.record(workspaceId, caller, action, target, now.length > 0 ? data : { host });
  }
}

function hostOf(text: string): string {
  try {
    return parseHost(text).text;
  } catch (error) {
    if (error instanceof InvalidHost) throw InvalidRequest.at('host', error.message);
    throw error;
  }
}

function fingerprints(certificates: readonly X509Certificate[]): string[] {
  return certificates.map(({ fingerprint256 }) => fingerprint256);
}

function present(row: HostAuthorities): HostAuthoritiesDto {
  const certificates = (row.certificates.match(PEM) ?? []).map((pem) => new X509Certificate(pem));
  return {
    host: row.host,
    certificates: certificates.map(presentCertificate),
    createdByUserId: row.createdByUserId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function presentCertificate({
  subject,
  fingerprint256,
  validFromDate,
  validToDate,
}: X509Certificate): AuthorityDto {
  return {
    subject: cutText((subject ?? '').replaceAll('\n', ', '), MAX_SUBJECT_LENGTH),
    fingerprint: fingerprint256,
    validFrom: validFromDate.toISOString(),
    validUntil: validToDate.toISOString(),
    expired: validToDate < new Date(),
  };
}
