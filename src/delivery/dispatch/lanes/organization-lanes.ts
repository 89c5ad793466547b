import { eventRecords } from '../../../kernel/events/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { SetAside } from '../../../platform/index.ts';
import type { ServedChannel, Subscription } from '../channel.ts';
import { readAside } from '../records/read-aside.ts';
import { type ReplayRecord, replayRecords } from '../records/replay-record.ts';
import { type SubscriptionState, subscriptionStateRecords } from '../records/subscription-state.ts';
import { DueDeliveries } from './due-deliveries.ts';
import { Lane, type LaneDependencies } from './lane.ts';

export interface OrganizationLanesDependencies extends LaneDependencies {
  readonly channels: readonly ServedChannel[];
}

interface Found {
  readonly subscriptions: ReadonlyMap<string, Subscription>;
  readonly states: ReadonlyMap<string, SubscriptionState | undefined>;
  readonly replays: readonly { readonly id: string; readonly document: ReplayRecord }[];
  readonly latest: number;
}

/** Of one organization, at once; others wait for them. */
const REPLAYS_MAX = 4;
const REPLAYS_READ_MAX = 100;

/** What is sent to the subscriptions of one organization. */
export class OrganizationLanes {
  readonly #dependencies: OrganizationLanesDependencies;
  readonly #organization: Organization;
  readonly #lanes = new Map<string, Lane>();
  /** By the id of the replay. */
  readonly #replays = new Map<string, Lane>();
  readonly #aside: SetAside;
  readonly #due: DueDeliveries;
  /** Lanes that were ended, while something of them is still under way. */
  readonly #ending = new Set<Promise<void>>();

  constructor(dependencies: OrganizationLanesDependencies, organization: Organization) {
    this.#dependencies = dependencies;
    this.#organization = organization;
    this.#aside = new SetAside(dependencies.background, 'deliveries', organization.store.name);
    this.#due = new DueDeliveries(dependencies, organization, this.#lanes, this.#aside);
  }

  /** Reads the subscriptions and replays anew. */
  refresh(): void {
    const found = this.#dependencies.engine.read(() => this.#find());
    for (const [key, lane] of this.#lanes) if (!found.subscriptions.has(key)) this.#end(this.#lanes, key, lane);
    for (const [key, subscription] of found.subscriptions)
      this.#take(subscription, found.states.get(key), found.latest);
    this.#refreshReplays(found);
    this.wake();
  }

  /** New events, or a new record of a subscription. */
  wake(): void {
    for (const lane of this.#all()) lane.wake();
  }

  /** Does what has become due. Answers whether there is anything to be done here, now or later. */
  look(): boolean {
    const isWaiting = this.#due.look();
    // together: each of them alone would wait for a commit of its own; and before they run again
    for (const lane of this.#all()) void lane.saveSkipped(false);
    this.wake();
    return isWaiting || this.#lanes.size > 0 || this.#replays.size > 0;
  }

  /** As the store has it after a commit. */
  lane(key: string): Lane | undefined {
    return this.#lanes.get(key);
  }

  stop(): void {
    this.#due.stop();
    for (const lane of this.#all()) lane.stop();
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await this.#due.idle();
    for (const lane of this.#all()) await lane.idle();
    await Promise.all(this.#ending);
  }

  async saveSkipped(): Promise<void> {
    await Promise.all(this.#all().map((lane) => lane.saveSkipped(true)));
  }

  #all(): Lane[] {
    return [...this.#lanes.values(), ...this.#replays.values()];
  }

  /** To be called inside `Engine.read`. */
  #find(): Found {
    const { channels } = this.#dependencies;
    const { store } = this.#organization;
    const aside = this.#aside;
    const subscriptions = channels.flatMap((channel) => channel.active(this.#organization, aside));
    const replays = replayRecords
      .index(store)
      .ids('status', 'running', { limit: REPLAYS_READ_MAX })
      .flatMap((id) => readAside(aside, replayRecords, store, id) ?? []);
    return {
      subscriptions: new Map(subscriptions.map((each) => [each.key, each])),
      states: new Map(
        subscriptions.map(({ key }) => [key, readAside(aside, subscriptionStateRecords, store, key)?.document]),
      ),
      replays,
      latest: eventRecords.appended(store),
    };
  }

  #take(subscription: Subscription, state: SubscriptionState | undefined, latest: number): void {
    const position = Math.min(state?.position ?? latest, latest);
    const known = this.#lanes.get(subscription.key);
    if (known !== undefined) {
      known.renew(subscription, position);
      return;
    }
    const lane = new Lane(this.#dependencies, subscription, { position });
    lane.pausedUntil = state?.pausedUntil ?? 0;
    this.#lanes.set(subscription.key, lane);
    // from here on its position is on record
    if (state === undefined) void this.#dependencies.results.add(this.#organization, { subscription, position });
  }

  #refreshReplays({ subscriptions, replays }: Found): void {
    const running = new Set(replays.map(({ id }) => id));
    for (const [id, lane] of this.#replays) if (!running.has(id)) this.#end(this.#replays, id, lane);
    for (const { id, document } of replays) {
      const subscription = subscriptions.get(document.subscription);
      const known = this.#replays.get(id);
      if (subscription === undefined) {
        if (known !== undefined) this.#end(this.#replays, id, known);
        this.#endReplay(id, document.subscription);
      } else if (known !== undefined) {
        known.renew(subscription, 0);
      } else if (this.#replays.size < REPLAYS_MAX) {
        const course = { position: document.position, replay: { id, to: document.to } };
        this.#replays.set(id, new Lane(this.#dependencies, subscription, course));
      }
    }
  }

  /** Nobody gets it. */
  #endReplay(id: string, key: string): void {
    const { results } = this.#dependencies;
    const subscription = { key, isThere: () => false };
    void results.add(this.#organization, { subscription, replay: { id, sent: 0, status: 'ended' } });
  }

  #end(lanes: Map<string, Lane>, key: string, lane: Lane): void {
    lanes.delete(key);
    lane.stop();
    const ending = lane.idle().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }
}
