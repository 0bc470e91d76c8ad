import { Injectable } from '@nestjs/common';

import { type HostAuthorities, parseHost, patternsOverlap } from '../../libs/egress/index.js';
import { HostAuthoritiesRepository } from './host-authorities.repository.js';

/** Tells runs by what the certificates of their hosts are checked. */
@Injectable()
export class HostAuthoritiesReader {
  constructor(private readonly authorities: HostAuthoritiesRepository) {}

  /** Those that count for some of these hosts of a workspace; for all others the usual ones do. */
  async forHosts(workspaceId: string, hosts: readonly string[]): Promise<HostAuthorities[]> {
    if (hosts.length === 0) return [];
    const patterns = hosts.map(parseHost);
    const wanted = (await this.authorities.hosts(workspaceId)).filter((host) =>
      patterns.some((pattern) => patternsOverlap(pattern, parseHost(host))),
    );
    if (wanted.length === 0) return [];
    const rows = await this.authorities.of(workspaceId, wanted);
    return rows.map(({ host, certificates }) => ({ host, certificates }));
  }
}
