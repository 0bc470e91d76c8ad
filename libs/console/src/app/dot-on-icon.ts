/** A dot on the tab's icon while something waits for the person. */
export function dotOnIcon(isWaiting: boolean): void {
  const icon = document.querySelector('link[rel=icon]');
  const href = isWaiting ? './favicon-waiting.svg' : './favicon.svg';
  if (icon && icon.getAttribute('href') !== href) icon.setAttribute('href', href);
}
