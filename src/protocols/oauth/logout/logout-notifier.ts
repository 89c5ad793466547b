import { setImmediate as nextTurn } from 'node:timers/promises';
import { EngineError, type FollowedRecords, type Follower, type Store } from '#engine';
import { actors } from '../../../directory/records/index.ts';
import { endNoticeIds, endNoticeRecords } from '../../../identity/sessions/index.ts';
import { type AuditMaker, FailureLog } from '../../../kernel/audit/index.ts';
import { commit, type GatheredChanges } from '../../../kernel/commits/index.ts';
import {
  type Organization,
  type OrganizationDirectory,
  setAsideUnreadable,
  slugOf,
  storeOf,
} from '../../../kernel/organizations/index.ts';
import { type Background, isUnreadable, type Repetition, SetAside, Setbacks } from '../../../platform/index.ts';
import { clientSubject } from '../clients/index.ts';
import { type DeliveryEntry, deliveryRecords } from './delivery-record.ts';
import { DeliverySlots } from './delivery-slots.ts';
import { expandNotices } from './expand-notices.ts';
import { type SendDependencies, type SendOutcome, sendLogout } from './send-logout.ts';

export interface LogoutNotifierDependencies extends SendDependencies {
  readonly audit: AuditMaker;
  readonly directory: OrganizationDirectory;
  readonly background: Background;
}

const LOOK_MS = 1000;
/** After an attempt, its slot is given to the next one. */
const REFILL_MS = 10;
const FLUSH_MS = 5000;
/** Notices that become deliveries in one commit. */
const STEP = 500;
/** Organizations that are looked into in one turn of the thread. */
const SLICE = 200;
/** Wait before a failed organization is tried again. */
const SETBACK = { gapMs: 5_000, maxMs: 600_000 };
const COMMITS_MAX = 20_000;
/** Before the second attempt and those that follow. */
const gapsMs = [5_000, 30_000, 120_000, 600_000];
/** A client that cannot be reached for so long is not told any more: its own sessions end some day. */
const LIFETIME_MS = 3_600_000;

/**
 * Tells clients that sessions have ended. The whole process has one. It reads what commits have left behind, so that
 * nothing is lost when it stops at any moment: what it was sending then is sent again.
 */
export class LogoutNotifier {
  readonly #dependencies: LogoutNotifierDependencies;
  readonly #failures: FailureLog;
  readonly #slots = new DeliverySlots();
  /** Stores in which something may be waiting. */
  #waiting: Set<string> | undefined;
  readonly #follower: Follower<FollowedRecords>;
  readonly #setbacks = new Setbacks(SETBACK.gapMs, SETBACK.maxMs);
  /** By store, if it has any. */
  readonly #asides = new Map<string, SetAside>();
  #repetitions: Repetition[] = [];
  #looking: Promise<void> | undefined;
  #isRefillDue = false;
  #isStopped = false;

  constructor(dependencies: LogoutNotifierDependencies) {
    this.#dependencies = dependencies;
    this.#failures = new FailureLog(dependencies);
    this.#follower = dependencies.engine.followRecords([endNoticeRecords.collection]);
  }

  start(): void {
    const { background } = this.#dependencies;
    this.#repetitions = [
      background.every('logout_notices', LOOK_MS, () => this.#lookOnce()),
      background.every('failure_log', FLUSH_MS, () => this.#failures.flush()),
    ];
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#repetitions.map((repetition) => repetition.stop()));
    await this.#looking?.catch(() => {}); // reported where it was started
    await this.#slots.idle();
    await this.#failures.flush(true);
  }

  /** Begins what is due. Does not wait for its end. Never rejects: a failure is in the log. */
  async look(): Promise<void> {
    await this.#dependencies.background.run('logout_notices', () => this.#lookOnce());
  }

  /** A call during a look waits for that look. */
  #lookOnce(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Resolves when no attempt is under way. */
  idle(): Promise<void> {
    return this.#slots.idle();
  }

  /** In rounds of one step in each organization, so that none waits until the notices of another are all begun. */
  async #look(): Promise<void> {
    let names = this.#moved();
    while (names.length > 0) {
      const unfinished: string[] = [];
      for (const [index, name] of names.entries()) {
        if (this.#isStopped) return;
        if (await this.#step(name)) unfinished.push(name);
        if (index % SLICE === SLICE - 1) await nextTurn();
      }
      names = unfinished;
    }
  }

  /**
   * An organization in which something fails waits, longer each time, and does not block the others.
   * @returns whether there is more to do there now
   */
  async #step(name: string): Promise<boolean> {
    const { background, clock } = this.#dependencies;
    if (!this.#setbacks.mayTry(name, clock.now())) return false;
    try {
      const hasMore = await this.#lookInto(name);
      this.#setbacks.succeeded(name);
      return hasMore;
    } catch (error) {
      // nothing can be written anywhere now
      if (error instanceof EngineError && error.code === 'unavailable') throw error;
      this.#setbacks.failed(name, clock.now());
      background.failed('logout_notices', error, { store: name });
      return false;
    }
  }

  /** Where something is waiting: the first look reads every store, and from then on commits tell. */
  #moved(): string[] {
    const { engine } = this.#dependencies;
    return engine.read(() => {
      const known = this.#waiting ?? new Set<string>();
      if (this.#waiting === undefined || !this.#follow(known)) {
        this.#follower.restart();
        for (const name of engine.storeNames()) if (name.startsWith(storeOf(''))) known.add(name);
      }
      this.#waiting = known;
      return [...known];
    });
  }

  /** Adds the stores that commits have touched. False where these are too many, or no longer there. */
  #follow(known: Set<string>): boolean {
    return this.#follower.catchUp(COMMITS_MAX, ({ changes, untold }) => {
      for (const { store } of changes) known.add(store);
      for (const store of untold) if (store.startsWith(storeOf(''))) known.add(store);
    });
  }

  /** @returns whether there are more notices than one step takes */
  async #lookInto(name: string): Promise<boolean> {
    const { engine, directory, background, clock } = this.#dependencies;
    const aside = this.#asides.get(name) ?? new SetAside(background, 'logout_notices', name);
    if (engine.read(() => engine.hasStore(name) && isEmpty(engine.store(name), aside))) {
      this.#waiting?.delete(name);
      return false;
    }
    const organization = engine.read(() => directory.find(slugOf(name)));
    if (organization === undefined) {
      this.#waiting?.delete(name);
      return false;
    }
    // the one that was looked into goes behind the others
    this.#waiting?.delete(name);
    this.#waiting?.add(name);
    try {
      const hasMore = await this.#expand(organization, aside);
      const { store } = organization;
      const due = engine.read(() => this.#slots.take(store, clock.now(), aside));
      for (const delivery of due) this.#begin(organization, delivery);
      if (engine.read(() => isEmpty(store, aside))) this.#waiting?.delete(name);
      return hasMore;
    } finally {
      if (aside.size > 0) this.#asides.set(name, aside);
      else this.#asides.delete(name);
    }
  }

  /** One step. @returns whether it changed something, so that there may be more */
  async #expand({ store }: Organization, aside: SetAside): Promise<boolean> {
    const { engine, clock, audit } = this.#dependencies;
    const expansion = { now: clock.now(), newId: audit.newId, limit: STEP, aside };
    let expanded: GatheredChanges = { changes: [] };
    try {
      await commit(engine, store, (changes) => {
        expanded = expandNotices(store, expansion);
        changes.add(expanded);
      });
      return expanded.changes.length > 0;
    } catch (error) {
      if (!isUnreadable(error) || !setAsideUnreadable(engine, store.name, expanded.changes, aside)) throw error;
      return true; // without what was set aside
    }
  }

  #begin(organization: Organization, delivery: DeliveryEntry): void {
    const attempt = this.#dependencies.background
      .run('logout_notices', () => this.#attempt(organization, delivery))
      .finally(() => this.#lookSoon());
    this.#slots.occupy(organization.store, delivery, attempt, () => this.#dependencies.clock.now());
  }

  #lookSoon(): void {
    if (this.#isStopped || this.#isRefillDue) return;
    this.#isRefillDue = true;
    this.#dependencies.background.after('logout_notices', REFILL_MS, () => {
      this.#isRefillDue = false;
      return this.#isStopped ? undefined : this.#lookOnce();
    });
  }

  async #attempt(organization: Organization, delivery: DeliveryEntry): Promise<void> {
    const { engine, clock } = this.#dependencies;
    const { store } = organization;
    const isLate = clock.now() - delivery.document.createdAt >= LIFETIME_MS;
    const outcome: SendOutcome = isLate
      ? { kind: 'refused', reason: 'too late' }
      : await sendLogout(this.#dependencies, organization, delivery);
    const attempts = delivery.document.attempts + 1;
    const gap = outcome.kind === 'failed' ? gapsMs[attempts - 1] : undefined;
    const again = { ...delivery.document, attempts, dueAt: clock.now() + (gap ?? 0) };
    const isRecorded = await commit(engine, store, (changes) => {
      if (!changes.isUnchanged(deliveryRecords, delivery)) return false;
      if (gap === undefined) changes.delete(deliveryRecords, delivery.id);
      else changes.put(deliveryRecords, delivery.id, again);
      return true;
    });
    if (isRecorded && gap === undefined && 'reason' in outcome)
      this.#giveUp(organization, delivery, outcome.reason, attempts);
  }

  #giveUp(organization: Organization, { id, document }: DeliveryEntry, reason: string, attempts: number): void {
    const { clientId, sessionId } = document;
    const facts = { requestId: id, header: () => '', clientAddress: () => '' };
    this.#failures.note(organization, actors.audited(clientSubject(clientId)), facts, {
      eventType: 'admin.action',
      action: 'client.notify_logout',
      targetType: 'client',
      targetId: clientId,
      metadata: { sessionId, reason, attempts },
    });
  }
}

/** Only unreadable records wait there. */
function isEmpty(store: Store, aside: SetAside): boolean {
  const limit = 1 + aside.size;
  const deliveries = deliveryRecords.index(store).ids(undefined, '', { limit });
  return (
    endNoticeIds(store, limit).every((id) => aside.has(endNoticeRecords.collection, id)) &&
    deliveries.every((id) => aside.has(deliveryRecords.collection, id))
  );
}
