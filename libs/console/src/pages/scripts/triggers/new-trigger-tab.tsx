export function NewTriggerTab() {
  return null;
}
