import { Page } from '../../kit/page.js';

export function InboxPage() {
  return <Page title="InboxPage">{null}</Page>;
}
