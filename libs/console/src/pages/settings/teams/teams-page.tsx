import { Page } from '../../../kit/page.js';

export function TeamsPage() {
  return <Page title="TeamsPage">{null}</Page>;
}
