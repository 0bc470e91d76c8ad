import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';

import { Database, NOW } from '../core/database/index.js';
import { HostAuthorities } from './host-authorities.entity.js';

type NewAuthorities = Pick<
  HostAuthorities,
  'id' | 'workspaceId' | 'host' | 'certificates' | 'createdByUserId'
>;

@Injectable()
export class HostAuthoritiesRepository {
  constructor(
    @InjectRepository(HostAuthorities) private readonly authorities: Repository<HostAuthorities>,
    private readonly database: Database,
  ) {}

  list(workspaceId: string): Promise<HostAuthorities[]> {
    return this.authorities.find({ where: { workspaceId }, order: { host: 'ASC' } });
  }

  async hosts(workspaceId: string): Promise<string[]> {
    const rows = await this.authorities.find({ select: { id: true, host: true }, where: { workspaceId } });
    return rows.map(({ host }) => host);
  }

  of(
    workspaceId: string,
    hosts: readonly string[],
  ): Promise<Pick<HostAuthorities, 'host' | 'certificates'>[]> {
    const select = { id: true, host: true, certificates: true } as const;
    return this.authorities.find({ select, where: { workspaceId, host: In([...hosts]) } });
  }

  /** Whoever changes those of a workspace takes turns with others who do, until the transaction ends. */
  async takeTurn(workspaceId: string): Promise<void> {
    await this.database.lock(`host authorities of ${workspaceId}`);
  }

  find(workspaceId: string, host: string): Promise<HostAuthorities | null> {
    return this.authorities.findOneBy({ workspaceId, host });
  }

  async insert(authorities: NewAuthorities): Promise<void> {
    await this.authorities.insert(authorities);
  }

  async replace(id: string, certificates: string): Promise<void> {
    await this.authorities.update({ id }, { certificates, updatedAt: NOW });
  }

  async delete(id: string): Promise<void> {
    await this.authorities.delete({ id });
  }
}
