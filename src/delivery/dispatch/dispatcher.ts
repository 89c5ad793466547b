import { setImmediate as nextTurn } from 'node:timers/promises';
import { EngineError, type FollowedRecords, type Follower } from '#engine';
import { eventRecords } from '../../kernel/events/index.ts';
import { type Organization, type OrganizationDirectory, slugOf, storeOf } from '../../kernel/organizations/index.ts';
import type { AdminDependencies } from '../../kernel/transactions/index.ts';
import type { Background, Log, Repetition } from '../../platform/index.ts';
import { type EndReason, endSubscription, type ServedChannel, type Subscription } from './channel.ts';
import { timeOfDelivery } from './delivery-id.ts';
import type { DeliveryMeter } from './dispatch-module.ts';
import { FeedPages } from './lanes/feed-pages.ts';
import { OrganizationLanes, type OrganizationLanesDependencies } from './lanes/organization-lanes.ts';
import { deliveryRecords } from './records/delivery-record.ts';
import { replayRecords } from './records/replay-record.ts';
import type { SubscriptionState } from './records/subscription-state.ts';
import { Results } from './results/results.ts';
import { Attempts } from './sending/attempts.ts';
import type { Send } from './sending/send-attempt.ts';
import { PACE_TURN_MS, SendPace } from './sending/send-pace.ts';
import { SendSlots, type SlotBounds } from './sending/send-slots.ts';

export interface DispatcherDependencies extends AdminDependencies {
  readonly directory: OrganizationDirectory;
  readonly background: Background;
  readonly log: Log;
  readonly channels: readonly ServedChannel[];
  readonly send: Send;
  readonly meter: DeliveryMeter;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly limits: DispatchLimits;
  readonly slots?: SlotBounds;
  /** See `SendPace`. */
  readonly pressure: () => number;
}

export interface DispatchLimits {
  /** How long deliveries are kept, in milliseconds. */
  readonly deliveryRetentionMs: number;
  /** A subscription ends after so many deliveries that failed one after the other, and over so long a time. */
  readonly deliveryFailures: number;
  readonly deliveryFailingMs: number;
}

const FOLLOW_MS = 50;
const LOOK_MS = 500;
const slotsByDefault: SlotBounds = { total: 512, ofOne: 128 };
/** A record that has just been changed is read anew after this time, and what failed after the other. */
const REFRESH_MS = 20;
const RETRY_MS = 10_000;
const COMMITS_MAX = 20_000;
/** Organizations that are looked at in one turn of the thread. */
const SLICE = 200;

/**
 * Sends events to subscriptions. One of these runs in the whole process. All that it must know stands in the store, so
 * that nothing is lost when it stops at any moment; what it was sending then is sent again, with the same id.
 */
export class Dispatcher {
  readonly #dependencies: DispatcherDependencies;
  readonly #organizations = new Map<string, OrganizationLanes>();
  readonly #follower: Follower<FollowedRecords>;
  readonly #slots: SendSlots;
  readonly #pace: SendPace;
  readonly #results: Results;
  readonly #lanes: OrganizationLanesDependencies;
  readonly #ending = new Set<string>();
  #repetitions: Repetition[] = [];
  #isBegun = false;
  #isStopped = false;

  constructor(dependencies: DispatcherDependencies) {
    this.#dependencies = dependencies;
    const { engine, clock, background, channels, limits, meter, pressure, slots = slotsByDefault } = dependencies;
    this.#slots = new SendSlots(slots);
    this.#pace = new SendPace(pressure);
    this.#follower = engine.followRecords([
      eventRecords.collection,
      replayRecords.collection,
      ...channels.map(({ collection }) => collection),
    ]);
    this.#results = new Results({
      engine,
      clock,
      background,
      onCommitted: (organization, states) => this.#judge(organization, states),
    });
    this.#lanes = {
      engine,
      clock,
      background,
      channels,
      pages: new FeedPages({ engine }),
      attempts: new Attempts({
        ...dependencies,
        slots: this.#slots,
        pace: this.#pace,
        onMade: (id, delivery, made) => meter.made(delivery, made, timeOfDelivery(id)),
      }),
      results: this.#results,
      keptMs: limits.deliveryRetentionMs,
      onChanged: ({ organization }) => this.#refreshSoon(organization.store.name),
      onGone: (subscription) => this.#end(subscription, 'gone'),
      onMissed: (subscription, count) => this.#missed(subscription, count),
    };
  }

  start(): void {
    const { background, meter } = this.#dependencies;
    this.#repetitions = [
      background.every('deliveries', FOLLOW_MS, () => this.follow()),
      background.every('deliveries', PACE_TURN_MS, () => this.#pace.turn()),
      background.every('deliveries', LOOK_MS, async () => {
        await this.look();
        meter.waiting(this.#slots.underWay);
      }),
    ];
  }

  /** Begins nothing more, waits for what is under way, and puts on record what came of it. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#repetitions.map((repetition) => repetition.stop()));
    this.#pace.stop();
    for (const lanes of this.#organizations.values()) lanes.stop();
    await this.idle();
    await Promise.all([...this.#organizations.values()].map((lanes) => lanes.saveSkipped()));
    await this.#results.stop();
  }

  /** Resolves when no attempt is under way. */
  async idle(): Promise<void> {
    await Promise.all([...this.#organizations.values()].map((lanes) => lanes.idle()));
  }

  /** Begins what new commits have brought. The first time it reads every store. Does not wait for attempts. */
  async follow(): Promise<void> {
    if (!this.#isBegun) {
      this.#isBegun = true;
      try {
        await this.#begin();
      } catch (error) {
        this.#isBegun = false;
        throw error;
      }
      return;
    }
    const changed = new Set<string>();
    const touched = new Set<string>();
    this.#isBegun = this.#follower.catchUp(COMMITS_MAX, ({ changes, untold }) => {
      for (const { store, collection } of changes) {
        (collection === eventRecords.collection ? touched : changed).add(store);
      }
      for (const store of untold) if (store.startsWith(storeOf(''))) changed.add(store);
    });
    if (!this.#isBegun) return;
    for (const name of changed) this.#guarded(name, () => this.#refresh(name));
    for (const name of touched) if (!changed.has(name)) this.#organizations.get(name)?.wake();
  }

  /** Does what has become due. Does not wait for attempts. */
  async look(): Promise<void> {
    let seen = 0;
    for (const [name, lanes] of this.#organizations) {
      if (this.#isStopped) return;
      await this.#dependencies.background.run('deliveries', () => {
        if (!this.#isThere(name) || !lanes.look()) this.#drop(name, lanes);
      });
      if (++seen % SLICE === 0) await nextTurn();
    }
  }

  async #begin(): Promise<void> {
    const { engine } = this.#dependencies;
    this.#follower.restart();
    const names = engine.storeNames().filter((name) => name.startsWith(storeOf('')));
    for (const [index, name] of names.entries()) {
      if (this.#isStopped) return;
      this.#guarded(name, () => this.#refresh(name));
      if (index % SLICE === SLICE - 1) await nextTurn();
    }
  }

  /** An organization in which something fails stops no other. */
  #guarded(name: string, task: () => void): void {
    const { background } = this.#dependencies;
    try {
      task();
    } catch (error) {
      if (error instanceof EngineError && error.code === 'unknown_store') return;
      background.failed('deliveries', error, { store: name });
      background.after('deliveries', RETRY_MS, () => this.#guarded(name, task));
    }
  }

  #refreshSoon(name: string): void {
    if (this.#isStopped) return;
    this.#dependencies.background.after('deliveries', REFRESH_MS, () => this.#guarded(name, () => this.#refresh(name)));
  }

  #refresh(name: string): void {
    if (this.#isStopped) return;
    const { engine, directory, channels } = this.#dependencies;
    const organization = engine.read(() => {
      const found = directory.find(slugOf(name));
      return found !== undefined && (this.#organizations.has(name) || isNeeded(channels, found)) ? found : undefined;
    });
    const known = this.#organizations.get(name);
    if (organization === undefined) {
      if (known !== undefined) this.#drop(name, known);
      return;
    }
    const lanes = known ?? new OrganizationLanes(this.#lanes, organization);
    this.#organizations.set(name, lanes);
    lanes.refresh();
  }

  #isThere(name: string): boolean {
    const { engine, directory } = this.#dependencies;
    return engine.read(() => directory.find(slugOf(name)) !== undefined);
  }

  #drop(name: string, lanes: OrganizationLanes): void {
    lanes.stop();
    this.#organizations.delete(name);
  }

  #judge({ store }: Organization, states: ReadonlyMap<string, SubscriptionState>): void {
    const { clock, limits } = this.#dependencies;
    for (const [key, { consecutiveFailures, failingSince }] of states) {
      if (consecutiveFailures < limits.deliveryFailures || failingSince === undefined) continue;
      const lane = this.#organizations.get(store.name)?.lane(key);
      if (lane === undefined || clock.now() - failingSince < limits.deliveryFailingMs) continue;
      this.#end(lane.subscription, 'failures');
    }
  }

  /** Once at a time. Where it fails, the next failed delivery ends it. */
  #end(subscription: Subscription, reason: EndReason): void {
    const { background } = this.#dependencies;
    const subscriptionKey = `${subscription.organization.store.name} ${subscription.key}`;
    if (this.#ending.has(subscriptionKey)) return;
    this.#ending.add(subscriptionKey);
    void background
      .run('deliveries', () => endSubscription(this.#dependencies, subscription, reason))
      .finally(() => this.#ending.delete(subscriptionKey));
  }

  #missed({ key, organization }: Subscription, count: number): void {
    const { log, meter } = this.#dependencies;
    meter.missed(count);
    log.warn({ organization: organization.slug, subscription: key, count }, 'events were no longer kept to be sent');
  }
}

/** Whether there is somebody to send to, or something that was to be sent. To be called inside `Engine.read`. */
function isNeeded(channels: readonly ServedChannel[], organization: Organization): boolean {
  const { store } = organization;
  return (
    channels.some((channel) => channel.hasActive(organization)) ||
    deliveryRecords.index(store).keys('due', { limit: 1 }).length > 0 ||
    replayRecords.index(store).ids('status', 'running', { limit: 1 }).length > 0
  );
}
