import type { Engine } from '#engine';
import type { OrganizationDirectory } from '../../../kernel/organizations/index.ts';
import type { AttemptRequest, Subscription } from '../channel.ts';
import type { DeliveryRecord } from '../records/delivery-record.ts';
import { type AttemptDependencies, type Made, sendAttempt } from './send-attempt.ts';
import type { SendPace } from './send-pace.ts';
import type { SendSlots } from './send-slots.ts';

/** Before each attempt of a round: an hour in all. */
export const gapsMs = [0, 60_000, 300_000, 900_000, 2_340_000] as const;
/** A gap is longer or shorter by up to this part, so that what failed together is not tried together. */
const JITTER = 0.1;
/** Of one delivery, on record. */
const ATTEMPTS_KEPT = 20;
/** Receivers that ask for more time. */
const slowing: ReadonlySet<number | undefined> = new Set([429, 502, 504]);
const PAUSE_MS = 10_000;
/** However much time a receiver asks for. */
const PAUSE_MAX_MS = 900_000;

/** What an attempt means for its delivery and its subscription. */
export interface AfterAttempt {
  readonly delivery: DeliveryRecord;
  /** No attempt to the subscription is made before. */
  readonly pausedUntil?: number;
  /** The receiver wants nothing more, ever. */
  readonly isGone: boolean;
}

/** @param random from 0 to 1 */
export function afterAttempt(
  before: DeliveryRecord,
  { attempt, retryAfterMs, isRefused }: Made & { readonly isRefused: boolean },
  now: number,
  random: number,
): AfterAttempt {
  const { dueAt: _, ...kept } = before;
  const { round } = before;
  const attempts = [...before.attempts, round === 1 ? attempt : { ...attempt, round }].slice(-ATTEMPTS_KEPT);
  const made = { ...kept, attempts, attempted: before.attempted + 1 };
  const { status } = attempt;
  if (status !== undefined && status >= 200 && status < 300) {
    return { delivery: { ...made, status: 'delivered' }, isGone: false };
  }
  if (status === 410) return { delivery: { ...made, status: 'failed' }, isGone: true };
  if (isRefused) return { delivery: { ...made, status: 'failed' }, isGone: false };
  const pause = pauseOf(status, retryAfterMs);
  const pausedUntil = pause === undefined ? {} : { pausedUntil: now + pause };
  const gap = gapsMs[attempts.filter((each) => (each.round ?? 1) === round).length];
  if (gap === undefined) return { delivery: { ...made, status: 'failed' }, ...pausedUntil, isGone: false };
  const wait = Math.max(pause ?? 0, Math.round(gap * (1 + JITTER * (2 * random - 1))));
  return { delivery: { ...made, status: 'pending', dueAt: now + wait }, ...pausedUntil, isGone: false };
}

function pauseOf(status: number | undefined, retryAfterMs: number | undefined): number | undefined {
  const asked = status !== undefined && (status === 503 || slowing.has(status)) ? retryAfterMs : undefined;
  if (asked === undefined && !slowing.has(status)) return undefined;
  return Math.min(asked ?? PAUSE_MS, PAUSE_MAX_MS);
}

export interface AttemptsDependencies extends AttemptDependencies {
  readonly engine: Engine;
  readonly directory: Pick<OrganizationDirectory, 'find'>;
  readonly slots: SendSlots;
  readonly pace: SendPace;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly onMade: (id: string, delivery: DeliveryRecord, made: Made) => void;
}

export interface AttemptOutcome extends AfterAttempt {
  /** Nothing was answered in time. */
  readonly isLate: boolean;
}

/** Makes attempts, as many at once as there are slots, and none that takes a core from requests. */
export class Attempts {
  readonly #dependencies: AttemptsDependencies;

  constructor(dependencies: AttemptsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Undefined, and nothing is sent, where the subscription has been changed or is gone when its turn comes. */
  async make(
    subscription: Subscription,
    { id, document, isSlow }: { readonly id: string; readonly document: DeliveryRecord; readonly isSlow: boolean },
  ): Promise<AttemptOutcome | undefined> {
    const { slots, pace, clock, random, onMade } = this.#dependencies;
    const release = await slots.take(subscription.organization.id, isSlow);
    try {
      await pace.take();
      if (!this.isLive(subscription)) return undefined;
      const made = await sendAttempt(this.#dependencies, () => this.#prepare(subscription, id, document));
      if (made === undefined) return undefined;
      const isRefused = subscription.refuses(made.attempt);
      const after = afterAttempt(document, { ...made, isRefused }, clock.now(), random());
      onMade(id, after.delivery, made);
      return { ...after, isLate: made.attempt.error === 'timeout' };
    } finally {
      release();
    }
  }

  /** A token may be asked for first, for seconds: undefined where the subscription is another one, or gone, by then. */
  async #prepare(
    subscription: Subscription,
    id: string,
    delivery: DeliveryRecord,
  ): Promise<AttemptRequest | undefined> {
    const { engine, clock } = this.#dependencies;
    const revision = engine.revision();
    const request = await subscription.request({ id, delivery, now: clock.now() });
    return engine.revision() === revision || this.isLive(subscription) ? request : undefined;
  }

  /** Whether it stands in the store as it was read, and its organization, too. */
  isLive(subscription: Subscription): boolean {
    const { engine, directory } = this.#dependencies;
    return engine.read(() => {
      const { id, slug } = subscription.organization;
      return directory.find(slug)?.id === id && subscription.isCurrent();
    });
  }
}
