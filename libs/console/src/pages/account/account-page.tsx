import { Divider } from '@mantine/core';

import { Page } from '../../kit/page.js';
import { useSignInWays } from '../../kit/sign-in-ways.js';
import { AppsSection } from './apps-section.js';
import { PasswordSection } from './password-section.js';
import { ProfileSection } from './profile-section.js';
import { SecondFactorsSection } from './factors/second-factors-section.js';
import { SessionsSection } from './sessions-section.js';
import { TokensSection } from './tokens/tokens-section.js';

export function AccountPage() {
  const ways = useSignInWays();
  return (
    <Page title="Your account">
      <ProfileSection />
      <Divider />
      {ways?.passwords !== false && (
        <>
          <PasswordSection />
          <Divider />
          <SecondFactorsSection />
          <Divider />
        </>
      )}
      <SessionsSection />
      <Divider />
      <AppsSection />
      <Divider />
      <TokensSection />
    </Page>
  );
}
