import type { OrganizationDirectory } from '../../orgs/index.ts';
import { type RotationParts, rotateKeys } from './rotation.ts';

export interface KeySweepParts extends RotationParts {
  readonly directory: OrganizationDirectory;
  /** Slugs of all organizations. */
  readonly slugs: () => readonly string[];
}

/** How often keys are looked at: a key that is late by this still has its whole day in the key set. */
const GAP_MS = 600_000;

/**
 * The job that keeps the keys of all organizations fresh, for the sweeper: at most `limit` organizations a step. Answers
 * whether there are more to look at now.
 */
export function rotateSigningKeys(parts: KeySweepParts): (limit: number) => Promise<boolean> {
  let due = 0;
  let left: string[] = [];
  return async (limit) => {
    const now = parts.clock.now();
    if (left.length === 0) {
      if (now < due) return false;
      due = now + GAP_MS;
      left = [...parts.slugs()];
    }
    for (const slug of left.splice(0, Math.min(limit, STEP))) {
      const organization = parts.engine.read(() => parts.directory.find(slug));
      if (organization !== undefined) await rotateKeys(parts, organization);
    }
    return left.length > 0;
  };
}

const STEP = 100;
