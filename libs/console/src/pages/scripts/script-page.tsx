import { Page } from '../../kit/page.js';

export function ScriptPage() {
  return <Page title="ScriptPage">{null}</Page>;
}
