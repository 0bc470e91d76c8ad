import { Page } from '../../../kit/page.js';

export function EnvironmentsPage() {
  return <Page title="EnvironmentsPage">{null}</Page>;
}
