import { Page } from '../../kit/page.js';

export function RunPage() {
  return <Page title="RunPage">{null}</Page>;
}
