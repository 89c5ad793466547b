import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Frees what this thread no longer uses, at once: it takes some 100 ms. V8 looks through old objects only when a thread
 * has made many new ones, and a thread that did much once and little since keeps its garbage for ever.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof collect !== 'function') return;
  // the second time moves what is left to fewer pages
  collect();
  collect();
}
