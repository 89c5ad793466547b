import type { Engine } from '#engine';
import type { OrganizationDirectory } from '../../../kernel/organizations/index.ts';
import type { AttemptRequest } from '../channel.ts';
import type { DeliveryRecord } from '../records/delivery-record.ts';
import type { Subscription } from '../served.ts';
import { type AfterAttempt, afterAttempt } from './after-attempt.ts';
import { type AttemptDependencies, type Made, sendAttempt } from './send-attempt.ts';
import type { SendPace } from './send-pace.ts';
import type { SendSlots } from './send-slots.ts';

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

/** Makes attempts, as many at once as there are places, and none that takes a core from requests. */
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
