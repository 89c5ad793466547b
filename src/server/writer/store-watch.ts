import { type Engine, EngineError } from '#engine';
import { masterKeyRecords, platformStore } from '../../kernel/organizations/index.ts';
import type { Background } from '../../platform/index.ts';

const LOOK_MS = 5_000;

/**
 * Looks again and again whether the store can be read. Every write begins with a read, so that a damaged store would
 * be met by readers alone, and each request would fail for ever. Then the writer is asked for a commit that changes
 * nothing: it alone judges the store, and ends the process where that cannot be trusted.
 */
export function watchStore(engine: Engine, background: Background): void {
  background.every('store_watch', LOOK_MS, async () => {
    try {
      engine.hasStore(platformStore);
    } catch (error) {
      if (error instanceof EngineError) throw error;
      await engine.submit(engine.command([masterKeyRecords.delete({ name: platformStore }, 'none')]));
      throw error;
    }
  });
}
