import { setImmediate as turn } from 'node:timers/promises';
import type { Engine } from '#engine';
import type { Background } from '../../platform/index.ts';

/** 32 MB of them. */
const NAMES_MAX = 500_000;
/** In one turn of the event loop: about a millisecond. */
const STEP = 250;

/** Loads the names of large organizations, while others have their turns, until the service ends. */
export async function loadNames(engine: Pick<Engine, 'nameLoader'>, ended: AbortSignal): Promise<void> {
  const step = engine.nameLoader(NAMES_MAX);
  do await turn();
  while (!ended.aborted && step(STEP));
}

/** The same in the background. Answers how it is ended. */
export function startLoadingNames(engine: Engine, background: Background): () => Promise<void> {
  const ended = new AbortController();
  const loaded = background.run('names', () => loadNames(engine, ended.signal));
  return async () => {
    ended.abort();
    await loaded;
  };
}
