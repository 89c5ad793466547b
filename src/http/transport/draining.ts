/** How every transport drains. */
export const DRAIN = {
  /** How long a connection may be without a request before it is ended: one that was just opened brings its first. */
  lingerMs: 100,
  pollMs: 10,
} as const;
