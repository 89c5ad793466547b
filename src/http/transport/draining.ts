/** How every transport drains. */
export const DRAIN = {
  /** How long a connection may be without a request before it is ended: a new connection is about to send its first. */
  lingerMs: 100,
  pollMs: 10,
} as const;
