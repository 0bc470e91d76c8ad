import { timingSafeEqual } from 'node:crypto';
import { BlockList, isIP, isIPv6 } from 'node:net';

import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';

import { Settings } from '../config/index.js';
import { hashToken } from '../crypto/index.js';
import { NotFound } from '../errors/index.js';
import { type GatehouseRequest, singleHeader } from '../http/index.js';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
/** What proxies add: who sends one of these passes on somebody else's request. */
const FORWARDED = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'];

/** Metrics are for the operator: this machine, the addresses that the settings name, and whoever has their token. */
@Injectable()
export class MetricsGuard implements CanActivate {
  private readonly allowed: BlockList;
  private readonly tokenHash: Buffer | null;

  constructor({ metricsAllow, metricsToken }: Settings) {
    this.allowed = listOf([...LOOPBACK, ...metricsAllow]);
    this.tokenHash = metricsToken === null ? null : hashToken(metricsToken);
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<GatehouseRequest>();
    if (this.hasToken(request) || this.comesFromInside(request)) return true;
    throw new NotFound(`route as ${request.method} /metrics`);
  }

  private hasToken(request: GatehouseRequest): boolean {
    const token = /^Bearer +(\S+) *$/i.exec(singleHeader(request, 'authorization') ?? '')?.[1];
    return (
      token !== undefined && this.tokenHash !== null && timingSafeEqual(hashToken(token), this.tokenHash)
    );
  }

  private comesFromInside(request: GatehouseRequest): boolean {
    const { ip, socket, headers } = request;
    // A proxy that nobody has said to trust: it may be inside, and whoever is behind it anywhere.
    const passedOn = FORWARDED.some((name) => headers[name] !== undefined);
    if (passedOn && ip === socket.remoteAddress) return false;
    return isIP(ip) !== 0 && this.allowed.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4');
  }
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const version = isIPv6(address) ? 'ipv6' : 'ipv4';
    list.addSubnet(address, Number(bits ?? (version === 'ipv6' ? 128 : 32)), version);
  }
  return list;
}
