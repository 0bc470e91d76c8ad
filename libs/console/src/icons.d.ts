declare module 'icon:*' {
  import type { ComponentType } from 'react';
  import type { IconProps } from './kit/icon.js';

  const Icon: ComponentType<IconProps>;
  export default Icon;
}
