import { Page } from '../../kit/page.js';

export function GeneralPage() {
  return <Page title="GeneralPage">{null}</Page>;
}
