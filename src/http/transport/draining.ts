import { setMaxListeners } from 'node:events';

/** How every transport drains. */
export const DRAIN = {
  /** How long a connection may be without a request before it is ended: a new connection is about to send its first. */
  lingerMs: 100,
  pollMs: 10,
} as const;

/** Tells streams that the server drains. Each stream listens, so Node.js must not warn of many listeners. */
export function drainingController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
