import { Page } from '../../../kit/page.js';

export function AuditPage() {
  return <Page title="AuditPage">{null}</Page>;
}
