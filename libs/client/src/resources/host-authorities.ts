import { hostAuthoritiesDelete, hostAuthoritiesList, hostAuthoritiesSet } from '../generated/sdk.gen.js';
import type { HostAuthorities as OfHost, HostAuthoritiesInput } from '../generated/types.gen.js';
import type { Calls } from '../http/calls.js';
import type { CallOptions } from '../http/settings.js';

/** By what the gate checks the certificates of single hosts, in place of public authorities. Owners set them. */
export class HostAuthorities {
  constructor(private readonly calls: Calls) {}

  /** By host. */
  async list(options?: CallOptions): Promise<OfHost[]> {
    return (await this.calls.send(hostAuthoritiesList<true>, {}, options)).items;
  }

  /** @param host as versions declare it: `db.example.com:5432`, `*.example.com` */
  set(host: string, input: HostAuthoritiesInput, options?: CallOptions): Promise<OfHost> {
    return this.calls.send(hostAuthoritiesSet<true>, { path: { host }, body: input }, options);
  }

  /** The usual authorities count again. */
  delete(host: string, options?: CallOptions): Promise<void> {
    return this.calls.do(hostAuthoritiesDelete<true>, { path: { host } }, options);
  }
}
