import { describe, expect, it } from 'vitest';
import { type HostRule, RequestRules } from './request-rules.js';

const HOST = 'api.example.com';

function asks(
  rules: Partial<HostRule>[],
  method: string,
  target: string,
  rawHeaders: string[] = [],
): boolean {
  const whole = rules.map((rule) => ({ host: HOST, methods: null, paths: null, ...rule }));
  return new RequestRules(whole).asks(HOST, 443, { method, target, rawHeaders });
}

describe('rules that ask', () => {
  const charges: Partial<HostRule>[] = [
    { methods: ['POST'], paths: ['/v1/charges', '/v1/payouts/*'], ask: 'always' },
    { paths: ['/*'] },
  ];

  it.each([
    ['/v1/charges'],
    ['/v1/charges?expand=all'],
    ['/v1/charges/'],
    ['/V1/Charges'],
    ['//v1/charges'],
    ['/v1//charges'],
    ['/v1/./charges'],
    ['/v1/x/../charges'],
    ['/v1%2Fcharges'],
    ['/v1/%63harges'],
    ['/v1/charges%20'],
    ['/v1/charges;a=b'],
    ['/v1\\charges'],
    ['/v1/charges%00'],
    ['/v1/charges%'],
    ['/v1/payouts'],
    ['/v1/payouts/1'],
    ['/v1/PAYOUTS%2f1'],
    ['/other;x'],
  ])('ask about POST %s although another rule fits', (target) => {
    expect(asks(charges, 'POST', target)).toBe(true);
  });

  it.each([
    ['GET', '/v1/charges'],
    ['POST', '/v1/charges2'],
    ['POST', '/v1/payout'],
    ['POST', '/v2/charges'],
    ['POST', '/'],
  ])('do not ask about %s %s', (method, target) => {
    expect(asks(charges, method, target)).toBe(false);
  });

  it('ask about what may stand for another method', () => {
    expect(asks(charges, 'GET', '/v1/charges?_method=POST')).toBe(true);
    expect(asks(charges, 'GET', '/v1/charges', ['X-HTTP-Method-Override', 'POST'])).toBe(true);
  });

  it('ask about everything where they name nothing', () => {
    expect(asks([{ ask: 'agents' }], 'GET', '/')).toBe(true);
    expect(asks([{}], 'POST', '/')).toBe(false);
  });

  it('are those of their host', () => {
    const rules = new RequestRules([{ host: '*.example.com', methods: null, paths: null, ask: 'always' }]);
    const request = { method: 'GET', target: '/', rawHeaders: [] };
    expect(rules.asks('a.example.com', 443, request)).toBe(true);
    expect(rules.asks('example.com', 443, request)).toBe(false);
    expect(rules.asks('a.example.com', 8443, request)).toBe(false);
  });

  it('read a long path at once, however many there are', () => {
    const many = Array.from({ length: 50 }, (_, index) => ({
      paths: [`/v1/${index}`],
      ask: 'always' as const,
    }));
    expect(asks(many, 'GET', `/a${'%20'.repeat(10_000)}x`)).toBe(false);
  });
});
