import { type CSSVariablesResolver, type MantineColorsTuple, createTheme } from '@mantine/core';

const gate: MantineColorsTuple = [
  '#e6f7f9',
  '#d0edf1',
  '#a3dbe3',
  '#72c8d4',
  '#4bb8c7',
  '#2fa7b8',
  '#178fa1',
  '#0b7285',
  '#095f6f',
  '#064b58',
];

/** The page is 7, what frames it 8, what lies on it 6. */
const dark: MantineColorsTuple = [
  '#c9ced3',
  '#b4bac0',
  '#858c93',
  '#656c73',
  '#41474d',
  '#343a40',
  '#272b30',
  '#1b1e21',
  '#131517',
  '#0d0f10',
];

export const theme = createTheme({
  primaryColor: 'gate',
  primaryShade: { light: 7, dark: 7 },
  colors: { gate, dark },
  autoContrast: true,
  defaultRadius: 'sm',
  cursorType: 'pointer',
  // The pages before one is in do not wait for it: they are drawn in the system's own.
  fontFamily:
    '"Inter Variable", ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '1.375rem' }, h2: { fontSize: '1.05rem' } } },
  respectReducedMotion: true,
  components: {
    Button: { styles: { label: { fontWeight: 500 } } },
    CloseButton: { defaultProps: { 'aria-label': 'Close' } },
    // The kit would draw a closed list of choices too, hidden, and ask the browser where it would stand.
    Combobox: { defaultProps: { keepMounted: false } },
    Modal: { styles: { title: { fontWeight: 600 } } },
    // The kit colours these by the alert's own colour, of which some are too light to read.
    Alert: {
      styles: {
        title: { color: 'var(--mantine-color-text)' },
        message: { color: 'var(--mantine-color-text)' },
      },
    },
    // It is focused first and is no item, of which alone a menu may consist: the first item is focused then.
    // Beside the page's `main` its items would be of no landmark.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, portalProps: { target: 'main' } } },
    // Its element is a header, which outside of a landmark would be a second banner of the page.
    ModalHeader: { defaultProps: { role: 'none' } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } },
  },
});

/** The kit's own quiet colours miss the contrast of 4.5 : 1 for small text. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--frame': 'var(--mantine-color-gray-0)',
    '--frame-current': 'var(--mantine-color-gray-2)',
    '--mantine-color-dimmed': '#545c64',
    '--mantine-color-placeholder': '#6b737b',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-anchor': '#0b6475',
  },
  dark: {
    '--frame': 'var(--mantine-color-dark-8)',
    '--frame-current': 'var(--mantine-color-dark-5)',
    '--mantine-color-dimmed': '#a6adb4',
    '--mantine-color-placeholder': '#98a0a8',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': '#66d0df',
  },
});
