import { Page } from '../../kit/page.js';

export function RunListPage() {
  return <Page title="RunListPage">{null}</Page>;
}
