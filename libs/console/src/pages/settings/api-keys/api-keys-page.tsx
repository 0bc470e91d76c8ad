import { Page } from '../../../kit/page.js';

export function ApiKeysPage() {
  return <Page title="ApiKeysPage">{null}</Page>;
}
