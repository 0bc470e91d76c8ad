import { expect, inject } from 'vitest';

import { CertificateAuthority } from '../../libs/egress/index.js';
import type { SharedGate } from './shared-gate.js';
import { Upstreams } from './upstream.js';

/** The service whose gate many files share. */
export interface SharedGatehouse extends Omit<SharedGate, 'authority'> {
  /** All that it printed so far. */
  output(): Promise<string>;
}

/** With upstreams that it trusts. It is started when the first file asks for it. */
export async function sharedGatehouse(): Promise<{ gatehouse: SharedGatehouse; upstreams: Upstreams }> {
  const ask = async (path: string): Promise<string> => {
    const response = await fetch(new URL(path, inject('sharedGate')));
    const text = await response.text();
    expect(response.status, text).toBe(200);
    return text;
  };
  const { authority, ...gatehouse } = JSON.parse(await ask('/')) as SharedGate;
  const upstreams = new Upstreams(new CertificateAuthority(authority));
  return { gatehouse: { ...gatehouse, output: () => ask('/output') }, upstreams };
}
