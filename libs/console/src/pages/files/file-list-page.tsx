import { Page } from '../../kit/page.js';

export function FileListPage() {
  return <Page title="FileListPage">{null}</Page>;
}
