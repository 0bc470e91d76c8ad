import { BlockList, isIPv6 } from 'node:net';

import { describe, expect, it } from 'vitest';

import type { Json } from '../../libs/testing/index.js';
import { Release } from './support/chart.js';

const PRIVATE = [
  ...['10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '127.0.0.1', '0.0.0.0'],
  ...['169.254.169.254', '168.63.129.16', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
  ...['::1', 'fd00::1', 'fe80::1', '64:ff9b::a00:1', '::ffff:10.0.0.1', '2002:a00:1::', 'ff02::1'],
];
const PUBLIC = ['1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'];

/** Whether rules of a policy let a connection out to an address, as Kubernetes reads them. */
function lets(rules: Json[], address: string, port: number, protocol = 'TCP'): boolean {
  return rules.some(
    ({ to, ports }) =>
      ports.some((one: Json) => one.protocol === protocol && (one.port ?? port) === port) &&
      to.some(({ ipBlock }: Json) => ipBlock && within(ipBlock, address)),
  );
}

function within({ cidr, except = [] }: { cidr: string; except?: string[] }, address: string): boolean {
  return listOf([cidr])(address) && !listOf(except)(address);
}

function listOf(ranges: string[]): (address: string) => boolean {
  const list = new BlockList();
  const family = (text: string): 'ipv6' | 'ipv4' => (isIPv6(text) ? 'ipv6' : 'ipv4');
  for (const range of ranges) {
    const [network, bits] = range.split('/') as [string, string];
    list.addSubnet(network, Number(bits), family(network));
  }
  return (address) => list.check(address, family(address));
}

const policy = async (set: string, component: string): Promise<Json> =>
  (await Release.of(set)).get('NetworkPolicy', component).spec;

describe.each(['api', 'worker'])('the %s', (component) => {
  it('reaches the database, the world and DNS, and nothing else', async () => {
    const { policyTypes, egress, podSelector } = await policy('least', component);
    expect(policyTypes).toEqual(['Ingress', 'Egress']);
    expect(podSelector.matchLabels['app.kubernetes.io/component']).toBe(component);
    expect(lets(egress, '10.20.0.5', 5432)).toBe(true);
    expect(lets(egress, '10.20.0.5', 443)).toBe(false);
    expect(lets(egress, '10.20.0.6', 5432)).toBe(false);
    for (const address of PUBLIC) {
      expect(lets(egress, address, 443), address).toBe(true);
      expect(lets(egress, address, 53, 'UDP'), address).toBe(false);
    }
    for (const address of PRIVATE) expect(lets(egress, address, 443), address).toBe(false);
    const named = egress.flatMap(({ to, ports }: Json) =>
      to.filter((peer: Json) => !peer.ipBlock).map((peer: Json) => ({ peer, ports })),
    );
    expect(named).toHaveLength(1);
    expect(named[0].peer.podSelector.matchLabels).toEqual({ 'k8s-app': 'kube-dns' });
    expect(named[0].ports.map(({ port }: Json) => port)).toEqual([53, 53]);
  });

  it('reaches what GATEHOUSE_OUTBOUND_ALLOW opens, and not what is excepted', async () => {
    const { egress } = await policy('keda', component);
    expect(lets(egress, '10.9.200.1', 8443)).toBe(true);
    expect(lets(egress, 'fd00::5', 443)).toBe(true);
    expect(lets(egress, 'fd00::6', 443)).toBe(false);
    expect(lets(egress, '198.51.100.7', 443)).toBe(false);
    expect(lets(egress, '2001:db8::1', 443)).toBe(false);
    expect(lets(egress, '10.20.0.5', 6432)).toBe(true);
  });
});

it('excepts only what is within the range it is excepted from, as Kubernetes demands', async () => {
  for (const component of ['api', 'worker']) {
    const { egress } = await policy('keda', component);
    for (const { ipBlock } of egress.flatMap(({ to }: Json) => to)) {
      for (const range of ipBlock?.except ?? []) {
        expect(listOf([ipBlock.cidr])(range.split('/')[0]), range).toBe(true);
      }
    }
  }
});

it('lets nobody reach a worker, save who reads metrics', async () => {
  for (const set of ['least', 'in-cluster', 'hpa']) {
    expect((await policy(set, 'worker')).ingress).toEqual([]);
  }
  const { ingress } = await policy('keda', 'worker');
  expect(ingress).toEqual([
    {
      ports: [{ protocol: 'TCP', port: 'http' }],
      from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
    },
  ]);
});

it('lets the API be reached on its port, by those who are named', async () => {
  expect((await policy('least', 'api')).ingress).toEqual([{ ports: [{ protocol: 'TCP', port: 'http' }] }]);
  const { ingress } = await policy('in-cluster', 'api');
  expect(ingress[0].from).toEqual([
    { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } } },
  ]);
});

it('sends what comes in to the API only', async () => {
  const release = await Release.of('in-cluster');
  const services = release.objects.filter(({ kind }) => kind === 'Service');
  expect(services).toHaveLength(1);
  expect(services[0].spec.selector).toEqual(release.get('Deployment', 'api').spec.selector.matchLabels);
  expect(release.get('Ingress').spec).toMatchObject({
    ingressClassName: 'nginx',
    tls: [{ hosts: ['gatehouse.example.com'], secretName: 'gatehouse-tls' }],
    rules: [{ host: 'gatehouse.example.com', http: { paths: [{ path: '/', pathType: 'Prefix' }] } }],
  });
});
