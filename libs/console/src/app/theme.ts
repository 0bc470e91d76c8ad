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

export const theme = createTheme({
  primaryColor: 'gate',
  primaryShade: { light: 7, dark: 7 },
  colors: { gate },
  autoContrast: true,
  defaultRadius: 'sm',
  cursorType: 'pointer',
  fontFamily:
    'Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '1.375rem' }, h2: { fontSize: '1.05rem' } } },
  respectReducedMotion: true,
  components: {
    CloseButton: { defaultProps: { 'aria-label': 'Close' } },
    Modal: { styles: { title: { fontWeight: 600 } } },
    // The kit colours these by the alert's own colour, of which some are too light to read.
    Alert: {
      styles: {
        title: { color: 'var(--mantine-color-text)' },
        message: { color: 'var(--mantine-color-text)' },
      },
    },
    // Its element is a header, which outside of a landmark would be a second banner of the page.
    ModalHeader: { defaultProps: { role: 'none' } },
  },
});

/** The kit's own quiet colours miss the contrast of 4.5 : 1 for small text. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#545c64',
    '--mantine-color-placeholder': '#6b737b',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-anchor': '#0b6475',
  },
  dark: {
    '--mantine-color-dimmed': '#a6adb4',
    '--mantine-color-placeholder': '#98a0a8',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': '#66d0df',
  },
});
