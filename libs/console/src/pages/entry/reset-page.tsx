import { Page } from '../../kit/page.js';

export function ResetPage() {
  return <Page title="ResetPage">{null}</Page>;
}
