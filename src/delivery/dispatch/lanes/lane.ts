import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '#engine';
import type { StoredEvent } from '../../../kernel/events/index.ts';
import { type Background, type Clock, delayAfter } from '../../../platform/index.ts';
import type { Message, Subscription } from '../channel.ts';
import { deliveryId } from '../delivery-id.ts';
import type { Result } from '../results/plan-results.ts';
import type { Results } from '../results/results.ts';
import type { AttemptOutcome, Attempts } from '../sending/attempts.ts';
import { newDelivery } from '../sending/new-delivery.ts';
import type { FeedPages } from './feed-pages.ts';

export interface LaneDependencies {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly background: Background;
  readonly pages: FeedPages;
  readonly attempts: Attempts;
  readonly results: Pick<Results, 'add'>;
  /** How long a delivery is kept, in milliseconds. */
  readonly keptMs: number;
  /** Its record is another, or gone. */
  readonly onChanged: (subscription: Subscription) => void;
  /** The receiver wants nothing more. */
  readonly onGone: (subscription: Subscription) => void;
  /** Events that were no longer kept when it came to them. */
  readonly onMissed: (subscription: Subscription, count: number) => void;
}

/** What it goes through. */
export interface LaneCourse {
  /** The number of the last event that is done with. */
  readonly position: number;
  /** Of a replay: its record, and the last event of it. */
  readonly replay?: { readonly id: string; readonly to: number };
}

type Page = ReturnType<FeedPages['after']>;

type Next =
  | { readonly kind: 'changed' | 'none' }
  | { readonly kind: 'missed'; readonly position: number }
  /** Up to there, nothing is for it. */
  | { readonly kind: 'skipped'; readonly position: number; readonly page: Page }
  | {
      readonly kind: 'event';
      readonly position: number;
      readonly page: Page;
      readonly event: StoredEvent;
      readonly message: Message;
    };

/** Attempts whose results are not on record yet. A kill makes them again. */
const OPEN_MAX = 200;
/** Events that are looked at in one snapshot. */
const LOOKED_AT_MAX = 200;
/** A position that only passed over events is put on record after so many of them, or so long. */
const SKIPPED_MAX = 500;
const SKIPPED_MS = 10_000;
/** What is to be turned off gets nothing more in this time. */
const ENDING_MS = 60_000;
/** Wait after what failed in the service itself. */
const SETBACK = { gapMs: 1_000, maxMs: 600_000 };
/** Between two deliveries of a replay, so that it takes no more than a share of the receiver's time. */
const REPLAY_GAP_MS = 10;

/** Makes the first attempts of one subscription, one after the other, in the order of the events. */
export class Lane {
  subscription: Subscription;
  pausedUntil = 0;
  /** The last attempt was not answered in time. */
  isSlow = false;
  readonly #dependencies: LaneDependencies;
  readonly #replay: LaneCourse['replay'];
  #position: number;
  #page: Page | undefined;
  #open = 0;
  #recordedPosition: number;
  #recordedAt: number;
  #running: Promise<void> | undefined;
  #isWoken = false;
  #failures = 0;
  #failedUntil = 0;
  #isStopped = false;

  constructor(dependencies: LaneDependencies, subscription: Subscription, { position, replay }: LaneCourse) {
    this.#dependencies = dependencies;
    this.subscription = subscription;
    this.#position = position;
    this.#replay = replay;
    this.#recordedPosition = position;
    this.#recordedAt = dependencies.clock.now();
  }

  /** Its record was changed: it goes on with the new one. */
  renew(subscription: Subscription, position: number): void {
    this.subscription = subscription;
    if (this.#replay === undefined) this.#move(Math.max(this.#position, position));
  }

  /** Goes on, where there is something to do. What fails is reported, and goes on later. */
  wake(): void {
    this.#isWoken = true;
    const { background, clock } = this.#dependencies;
    if (this.#isStopped || this.#running !== undefined || clock.now() < this.#failedUntil) return;
    this.#running = background
      .run('deliveries', () => this.#run())
      .then((isDone) => {
        this.#running = undefined;
        this.#failures = isDone ? 0 : this.#failures + 1;
        if (!isDone) this.#failedUntil = clock.now() + delayAfter(this.#failures - 1, SETBACK.gapMs, SETBACK.maxMs);
        if (isDone && this.#isWoken) this.wake();
      });
  }

  /** Begins nothing more. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Resolves when nothing of it is under way. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  /** Puts on record how far it has come where it only passed over events. */
  async saveSkipped(isLast: boolean): Promise<void> {
    const isDue = isLast || this.#dependencies.clock.now() - this.#recordedAt >= SKIPPED_MS;
    if (isDue && this.#running === undefined && this.#position > this.#recordedPosition) await this.#record({});
  }

  async #run(): Promise<void> {
    const { engine, clock, onChanged, onMissed } = this.#dependencies;
    for (let isFirst = true; !this.#isStopped; isFirst = false) {
      this.#isWoken = false;
      if (clock.now() < this.pausedUntil) return;
      const next = engine.read(() => this.#next());
      switch (next.kind) {
        case 'changed':
          // once: a new record is taken by `renew`, which wakes it
          onChanged(this.subscription);
          return;
        case 'none':
          if (this.#replay !== undefined) return await this.#finish();
          if (this.#isWoken) break;
          return;
        case 'missed':
          onMissed(this.subscription, next.position - this.#position);
          this.#move(next.position);
          await this.#record({});
          break;
        case 'skipped':
          this.#page = next.page;
          this.#move(next.position, next.page);
          if (this.#position - this.#recordedPosition >= SKIPPED_MAX) void this.#record({});
          if (!isFirst) await nextTurn();
          break;
        case 'event':
          if (!(await this.#deliver(next))) return;
      }
    }
  }

  /** To be called inside `Engine.read`: it has no effects. */
  #next(): Next {
    const { attempts, pages } = this.#dependencies;
    if (!attempts.isLive(this.subscription)) return { kind: 'changed' };
    const to = this.#replay?.to ?? Number.POSITIVE_INFINITY;
    if (this.#position >= to) return { kind: 'none' };
    const known = this.#page;
    const page =
      known?.kind === 'page' && known.position > this.#position
        ? known
        : pages.after(this.subscription.organization.store, this.#position);
    if (page.kind === 'behind') return { kind: 'missed', position: page.oldest - 1 };
    if (page.position <= this.#position) {
      // a store that was put back to an earlier state has fewer events than were sent
      return page.position === this.#position ? { kind: 'none' } : { kind: 'skipped', position: page.position, page };
    }
    let looked = 0;
    const first = page.events[0]?.position ?? 0;
    for (let index = Math.max(0, this.#position + 1 - first - page.unreadable.length); index < page.events.length; ) {
      const each = page.events[index++];
      if (each === undefined || each.position <= this.#position) continue;
      if (each.position > to) return { kind: 'none' };
      const message = this.subscription.message(each.event);
      if (message !== undefined) return { kind: 'event', position: each.position, page, event: each.event, message };
      if (++looked >= LOOKED_AT_MAX) return { kind: 'skipped', position: each.position, page };
    }
    return { kind: 'skipped', position: Math.min(page.position, to), page };
  }

  /** Answers whether to go on. */
  async #deliver({ position, page, event, message }: Extract<Next, { kind: 'event' }>): Promise<boolean> {
    const { clock, attempts, keptMs, onChanged, onGone } = this.#dependencies;
    const { subscription } = this;
    const { key } = subscription;
    const id = deliveryId(key, event, this.#replay?.id);
    const document = newDelivery(key, event, message, { now: clock.now(), keptMs });
    const after = await attempts.make(subscription, { id, document, isSlow: this.isSlow });
    if (after === undefined) {
      onChanged(subscription);
      return false;
    }
    this.#note(after);
    this.#move(position, page);
    const recorded = this.#record({ delivery: { id, document: after.delivery }, ...resultOf(after) }, 1);
    if (this.#open >= OPEN_MAX) await recorded;
    if (after.isGone) {
      // it is turned off meanwhile
      this.pausedUntil = clock.now() + ENDING_MS;
      await recorded;
      onGone(subscription);
      return false;
    }
    if (this.#replay !== undefined) await sleep(REPLAY_GAP_MS);
    return true;
  }

  #note({ isLate, pausedUntil }: AttemptOutcome): void {
    this.isSlow = isLate;
    if (pausedUntil !== undefined) this.pausedUntil = pausedUntil;
  }

  async #finish(): Promise<void> {
    const { id = '' } = this.#replay ?? {};
    this.stop();
    await this.#record({ replay: { id, sent: 0, status: 'done' } });
  }

  #move(position: number, page?: Page): void {
    this.#position = position;
    this.#page = page;
  }

  async #record(result: Omit<Result, 'subscription' | 'position'>, sent = 0): Promise<void> {
    const { results, clock } = this.#dependencies;
    this.#recordedPosition = this.#position;
    this.#recordedAt = clock.now();
    this.#open++;
    try {
      await results.add(this.subscription.organization, {
        subscription: this.subscription,
        position: this.#position,
        ...(this.#replay === undefined ? {} : { replay: { id: this.#replay.id, sent } }),
        ...result,
      });
    } finally {
      this.#open--;
    }
  }
}

/** What an attempt is for the record of its subscription. */
export function resultOf({ delivery, pausedUntil }: AttemptOutcome): Pick<Result, 'counted' | 'pausedUntil'> {
  return {
    ...(delivery.status === 'pending' ? {} : { counted: delivery.status }),
    ...(pausedUntil === undefined ? {} : { pausedUntil }),
  };
}
