import 'react';

declare module 'react' {
  interface CSSProperties {
    /** The stylesheet's own variables. */
    [variable: `--${string}`]: string | number | undefined;
  }
}
