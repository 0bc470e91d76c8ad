import { Page } from '../../kit/page.js';

export function EventTypesPage() {
  return <Page title="EventTypesPage">{null}</Page>;
}
