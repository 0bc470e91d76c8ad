import { Page } from '../../../kit/page.js';

export function NewScriptPage() {
  return <Page title="NewScriptPage">{null}</Page>;
}
