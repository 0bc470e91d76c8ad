import { Page } from '../../kit/page.js';

export function AccountPage() {
  return <Page title="AccountPage">{null}</Page>;
}
