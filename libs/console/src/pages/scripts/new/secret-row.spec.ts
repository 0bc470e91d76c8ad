import { expect, it } from 'vitest';

import { AWS, BEARER } from '../../../kit/secret-use-form.js';
import { withHosts, withSecret } from './secret-row.js';

const row = (name: string, hosts: string[] = []) => ({ name, hosts, ...BEARER });

it('a secret that was made has one row', () => {
  const made = { name: 'KEY', kind: 'text' } as const;
  expect(withSecret([], made)).toEqual([row('KEY')]);
  expect(withSecret([row('OTHER')], made)).toEqual([row('OTHER'), row('KEY')]);
  expect(withSecret([row(''), row('OTHER')], made)).toEqual([row('KEY'), row('OTHER')]);
  expect(withSecret([row(''), row('KEY', ['a.com'])], made)).toEqual([row(''), row('KEY', ['a.com'])]);
  expect(withSecret([row('KEY')], { name: 'KEY', kind: 'aws' })).toEqual([{ ...row('KEY'), ...AWS }]);
});

it('its hosts are declared where none of them was', () => {
  expect(withHosts(['a.example.com'], ['b.example.com', 'c.example.com'])).toEqual([
    'a.example.com',
    'b.example.com',
    'c.example.com',
  ]);
  expect(withHosts(['a.example.com'], ['b.example.com', 'a.example.com'])).toEqual(['a.example.com']);
});
