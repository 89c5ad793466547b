import {
  type Look,
  MORE_NOW,
  NOTHING_DUE,
  type OrganizationDirectory,
  OrganizationWalk,
  type SweepStep,
  slugOf,
  type Visit,
  type WalkDependencies,
} from '../../../kernel/organizations/index.ts';
import { nextRotation, type RotationDependencies, rotateKeys } from './rotation.ts';

export interface KeySweepDependencies extends RotationDependencies, WalkDependencies {
  readonly directory: OrganizationDirectory;
}

/** How often keys are looked at: a key that is late by this still has its whole day in the key set. */
const ROUND_MS = 600_000;

/**
 * The sweeper step that rotates the keys of all organizations: one after the other, because keys are expensive to make.
 */
export function rotateSigningKeys(dependencies: KeySweepDependencies): SweepStep {
  const { engine, directory, clock } = dependencies;
  const options = { job: 'signing_keys', roundMs: ROUND_MS, atOnce: 1 };
  const visit: Visit = async (store) => {
    const organization = engine.read(() => directory.find(slugOf(store)));
    if (organization === undefined) return NOTHING_DUE;
    await rotateKeys(dependencies, organization);
    return engine.read(() => nextRotation(organization.store));
  };
  const look: Look = (store) => {
    const next = nextRotation(engine.store(store));
    return next > clock.now() ? next : MORE_NOW;
  };
  const walk = new OrganizationWalk(dependencies, options, visit, look);
  return (limit) => walk.step(limit);
}
