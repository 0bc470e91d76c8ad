import { Divider } from '@mantine/core';

import { Page } from '../../kit/page.js';
import { AppsSection } from './apps-section.js';
import { PasswordSection } from './password-section.js';
import { ProfileSection } from './profile-section.js';
import { SessionsSection } from './sessions-section.js';
import { TokensSection } from './tokens/tokens-section.js';

export function AccountPage() {
  return (
    <Page title="Your account">
      <ProfileSection />
      <Divider />
      <PasswordSection />
      <Divider />
      <SessionsSection />
      <Divider />
      <AppsSection />
      <Divider />
      <TokensSection />
    </Page>
  );
}
