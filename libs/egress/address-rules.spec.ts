import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { AddressRules } from './address-rules.js';

describe('AddressRules', () => {
  const rules = new AddressRules();

  it.each([
    '93.184.216.34',
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '2606:4700::1111',
    '2a00:1450:4001:80e::200e',
  ])('dials %s', (address) => {
    expect(rules.problem(address)).toBeNull();
  });

  it.each([
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['0.0.0.0', 'unspecified'],
    ['0.1.2.3', 'unspecified'],
    ['10.1.2.3', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['169.254.169.254', 'link-local'],
    ['100.64.0.1', 'carriers'],
    ['100.100.100.200', 'carriers'],
    ['168.63.129.16', 'agent'],
    ['192.0.0.192', 'reserved'],
    ['192.0.2.1', 'reserved'],
    ['198.18.0.1', 'reserved'],
    ['224.0.0.1', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'IPv6 form'],
    ['::ffff:8.8.8.8', 'IPv6 form'],
    ['::ffff:a9fe:a9fe', 'IPv6 form'],
    ['::127.0.0.1', 'IPv6 form'],
    ['::7f00:1', 'reserved'],
    ['::ffff:0:10.0.0.1', 'reserved'],
    ['64:ff9b::10.0.0.1', 'translated'],
    ['64:ff9b::8.8.8.8', 'translated'],
    ['64:ff9b:1::a00:1', 'translated'],
    ['2002:7f00:1::', 'reserved'],
    ['2002:808:808::1', 'reserved'],
    ['2001:0:53aa:64c::1', 'reserved'],
    ['2001:4860::5efe:10.0.0.1', 'private'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local'],
    ['fec0::1', 'reserved'],
    ['fc00::1', 'private'],
    ['fd00:ec2::254', 'private'],
    ['ff02::1', 'multicast'],
    ['100::1', 'reserved'],
    ['2001:db8::1', 'reserved'],
    ['3fff::1', 'reserved'],
    ['5f00::1', 'reserved'],
    ['4000::1', 'reserved'],
  ])('refuses %s as %s', (address, kind) => {
    expect(rules.problem(address)).toContain('is not public');
    expect(rules.problem(address)).toContain(kind);
  });

  it('refuses what is no address', () => {
    for (const text of [
      '',
      'localhost',
      '1.2.3.4.5',
      ':::',
      '8.8.8',
      '010.8.8.8',
      '0x8.8.8.8',
      '134744072',
      '8.8.8.8/32',
    ])
      expect(rules.problem(text)).toBe('is not an address');
  });

  it('refuses the addresses of this machine', () => {
    const own = Object.values(networkInterfaces()).flatMap(
      (entries) => entries?.map(({ address }) => address) ?? [],
    );
    expect(own.length).toBeGreaterThan(0);
    for (const address of own) expect(rules.problem(address)).not.toBeNull();
  });

  it('dials what an operator opened, and nothing beside it', () => {
    const opened = new AddressRules(['10.20.0.0/16', '127.0.0.1', 'fd00:1::/32', '168.63.129.16/32']);
    for (const address of ['10.20.255.1', '127.0.0.1', 'fd00:1::5', '168.63.129.16'])
      expect(opened.problem(address)).toBeNull();
    for (const address of ['10.21.0.1', '127.0.0.2', 'fd00:2::5', '::ffff:10.20.0.1', '::1'])
      expect(opened.problem(address)).not.toBeNull();
  });

  it.each([
    '169.254.169.254',
    '169.254.170.2',
    '100.100.100.200',
    '168.63.129.16',
    'fd00:ec2::254',
    'fd00:0ec2:0:0::254',
    'fd20:ce::254',
    '::ffff:169.254.169.254',
    '64:ff9b::100.100.100.200',
    'fd00:ec2::254%eth0',
  ])('opens no metadata of a cloud by a range that has it: %s', (address) => {
    const everything = ['0.0.0.0/0', '::/0', '169.254.0.0/16', '100.64.0.0/10', 'fc00::/7'];
    expect(new AddressRules(everything).problem(address)).toContain('is not public');
    const halves = ['100.100.100.200/31', '169.254.169.254/31', 'fd00:ec2::254/127', '168.63.129.16/31'];
    expect(new AddressRules(halves).problem(address)).toContain('is not public');
  });

  it('opens metadata by its own address', () => {
    const named = new AddressRules(['169.254.169.254', 'fd00:ec2::254/128']);
    for (const address of ['169.254.169.254', 'fd00:ec2::254']) expect(named.problem(address)).toBeNull();
  });

  it('judges both the form and the address within it', () => {
    const translating = new AddressRules(['64:ff9b::/96']);
    expect(translating.problem('64:ff9b::8.8.8.8')).toBeNull();
    expect(translating.problem('64:ff9b::10.0.0.1')).toContain('private');
    expect(new AddressRules(['2002::/16']).problem('2002:7f00:1::')).toContain('loopback');
    expect(new AddressRules(['2001::/32']).problem('2001:0:808:808::f5ff:fffe')).toContain('private');
    expect(new AddressRules(['64:ff9b::/96', '10.0.0.0/8']).problem('64:ff9b::10.0.0.1')).toBeNull();
  });

  it.each(['10.0.0.0/33', 'example.com', '', '10.0.0.0/x', '10.0.0.0/', '10/8', '1.2.3'])(
    'takes no %j for a range',
    (text) => {
      expect(() => new AddressRules([text])).toThrow(RangeError);
      expect(() => new AddressRules([text])).toThrow(JSON.stringify(text));
    },
  );
});
