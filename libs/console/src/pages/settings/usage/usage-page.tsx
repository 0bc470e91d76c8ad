import { Page } from '../../../kit/page.js';

export function UsagePage() {
  return <Page title="UsagePage">{null}</Page>;
}
