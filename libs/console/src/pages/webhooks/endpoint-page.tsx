import { Page } from '../../kit/page.js';

export function EndpointPage() {
  return <Page title="EndpointPage">{null}</Page>;
}
