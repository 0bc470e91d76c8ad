import type { ComponentType, SVGProps } from 'react';

export interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke'> {
  /** Pixels of each side. Default 24. */
  size?: number;
  /** Width of the lines, of 24. Default 2. */
  stroke?: number | undefined;
}

/** A component of a drawing's elements, see `icons.ts`. */
export function icon(lines: string): ComponentType<IconProps> {
  const drawing = { __html: lines };
  return ({ size = 24, stroke = 2, ...props }) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...props}
      dangerouslySetInnerHTML={drawing}
    />
  );
}
