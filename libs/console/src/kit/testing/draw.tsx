import '../../app/all-styles.js';
import '../../app/app.css';

import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { render } from 'vitest-browser-react';

import { cssVariables, theme } from '../../app/theme.js';

/** Draws a part of the console as the console would. */
export function draw(part: ReactNode) {
  return render(part, {
    wrapper: ({ children }) => (
      <MantineProvider theme={theme} cssVariablesResolver={cssVariables} env="test">
        {children}
      </MantineProvider>
    ),
  });
}
