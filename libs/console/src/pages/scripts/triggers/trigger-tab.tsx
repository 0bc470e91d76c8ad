export function TriggerTab() {
  return null;
}
