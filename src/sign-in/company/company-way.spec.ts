import { Logger } from '@nestjs/common';
import { afterEach, describe, expect, it, vi } from 'vitest';

import type { OidcProviderSettings } from '../../core/config/index.js';
import type { OpenId } from '../open-id/open-id.js';
import { CompanyWay } from './company-way.js';

const PERSON = {
  ...{ issuer: 'https://login.acme.example', subject: 'ada', name: 'Ada' },
  ...{ email: 'ada@acme.example', emailVerified: true, authenticatedAt: new Date() },
};
const SETTINGS = {
  ...{ id: 'acme', title: 'Acme', kind: 'standard', domains: ['acme.example'], groupsClaim: 'groups' },
  ...{ teams: [], defaultRoles: [], answerConfirms: false, scimToken: 'x'.repeat(32) },
  roles: [{ group: 'admins', workspace: 'main', role: 'admin' }],
} as unknown as OidcProviderSettings;

describe('memberships of somebody who signs in', () => {
  afterEach(() => void vi.restoreAllMocks());

  const signIn = (claims: object, told: ReadonlySet<string>) => {
    const asked = vi.fn(() => Promise.resolve(told));
    const person = { ...PERSON, claims };
    const openId = { provider: () => ({ finish: () => Promise.resolve(person) }) } as unknown as OpenId;
    const way = new CompanyWay(SETTINGS, openId, asked);
    return { asked, proven: way.finish({} as never, new URL('https://gatehouse.example')) };
  };

  it('are asked of the directory once, when their workspaces are locked', async () => {
    const warned = vi.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const { asked, proven } = signIn({}, new Set(['strangers']));
    const person = await proven;
    expect(asked).not.toHaveBeenCalled();
    expect(person.memberships).toEqual([{ workspace: 'main', role: null, teams: {} }]);
    const now = 'membershipsNow' in person ? await person.membershipsNow() : null;
    expect(now).toEqual([{ workspace: 'main', role: null, teams: {} }]);
    expect(asked).toHaveBeenCalledTimes(1);
    expect(warned).toHaveBeenCalledTimes(1);
  });

  it('are what the directory says, or the token where it says groups', async () => {
    const told = await signIn({}, new Set(['admins'])).proven;
    expect('membershipsNow' in told && (await told.membershipsNow())).toMatchObject([{ role: 'admin' }]);
    const { asked, proven } = signIn({ groups: ['admins'] }, new Set());
    const said = await proven;
    expect('membershipsNow' in said).toBe(false);
    expect(said.memberships).toMatchObject([{ workspace: 'main', role: 'admin' }]);
    expect(asked).not.toHaveBeenCalled();
  });
});
