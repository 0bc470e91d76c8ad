export function TriggersTab() {
  return null;
}
