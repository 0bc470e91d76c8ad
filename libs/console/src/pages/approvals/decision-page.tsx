import { Page } from '../../kit/page.js';

export function DecisionPage() {
  return <Page title="DecisionPage">{null}</Page>;
}
