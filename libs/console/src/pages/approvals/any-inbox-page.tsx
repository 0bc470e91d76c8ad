import { Page } from '../../kit/page.js';

export function AnyInboxPage() {
  return <Page title="AnyInboxPage">{null}</Page>;
}
