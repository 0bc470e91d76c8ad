import { Page } from '../../kit/page.js';

export function EndpointListPage() {
  return <Page title="EndpointListPage">{null}</Page>;
}
