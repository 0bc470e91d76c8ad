import { Page } from '../../kit/page.js';

export function WelcomePage() {
  return <Page title="WelcomePage">{null}</Page>;
}
