import { Page } from '../../kit/page.js';

export function InvitationPage() {
  return <Page title="InvitationPage">{null}</Page>;
}
