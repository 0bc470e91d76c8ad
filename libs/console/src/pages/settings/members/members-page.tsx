import { Page } from '../../../kit/page.js';

export function MembersPage() {
  return <Page title="MembersPage">{null}</Page>;
}
