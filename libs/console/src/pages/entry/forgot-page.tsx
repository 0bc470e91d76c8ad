import { Page } from '../../kit/page.js';

export function ForgotPage() {
  return <Page title="ForgotPage">{null}</Page>;
}
