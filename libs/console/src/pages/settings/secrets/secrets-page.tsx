import { Page } from '../../../kit/page.js';

export function SecretsPage() {
  return <Page title="SecretsPage">{null}</Page>;
}
