import { EngineError } from '#engine';
import { type AuditMaker, FailureLog } from '../../audit/index.ts';
import { type Organization, type OrganizationDirectory, storeOf } from '../../orgs/index.ts';
import type { Background, Repetition } from '../../platform/index.ts';
import { endNoticeCollection, endNotices } from '../../sessions/index.ts';
import {
  type DeliveryEntry,
  deliveryCollection,
  deliveryDelete,
  deliveryUnchanged,
  deliveryWrite,
} from './delivery-record.ts';
import { DeliverySlots } from './delivery-slots.ts';
import { expandNotices } from './expand-notices.ts';
import { type SendOutcome, type SendParts, sendLogout } from './send-logout.ts';

export interface LogoutNotifierParts extends SendParts {
  readonly audit: AuditMaker;
  readonly directory: OrganizationDirectory;
  readonly background: Background;
}

const LOOK_MS = 1000;
/** After an attempt, its place is given to the next one. */
const REFILL_MS = 10;
const FLUSH_MS = 5000;
const STEP = 500;
const COMMITS_MAX = 20_000;
/** Before the second attempt and those that follow. */
const gapsMs = [5_000, 30_000, 120_000, 600_000];
/** A client that cannot be reached for so long has no use for it: its own sessions end some day. */
const LIFETIME_MS = 3_600_000;

/**
 * Tells clients that sessions have ended. One of these runs in the whole process. It reads what commits have left
 * behind, so that nothing is lost when it stops at any moment; what it was sending then is sent again.
 */
export class LogoutNotifier {
  readonly #parts: LogoutNotifierParts;
  readonly #failures: FailureLog;
  readonly #slots = new DeliverySlots();
  /** Stores in which something may be waiting. */
  #waiting: Set<string> | undefined;
  #revision = 0;
  #repetitions: Repetition[] = [];
  #looking: Promise<void> | undefined;
  #isRefillDue = false;
  #isStopped = false;

  constructor(parts: LogoutNotifierParts) {
    this.#parts = parts;
    this.#failures = new FailureLog(parts);
  }

  start(): void {
    const { background } = this.#parts;
    this.#repetitions = [
      background.every('logout_notices', LOOK_MS, () => this.#lookOnce()),
      background.every('failure_log', FLUSH_MS, () => this.#failures.flush()),
    ];
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#repetitions.map((repetition) => repetition.stop()));
    await this.#looking?.catch(() => {}); // told where it was begun
    await this.#slots.idle();
    await this.#failures.flush(true);
  }

  /** Begins what is due. Does not wait for its end. Never rejects: a failure is in the log. */
  async look(): Promise<void> {
    await this.#parts.background.run('logout_notices', () => this.#lookOnce());
  }

  /** Whoever comes while somebody looks waits for that. */
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

  async #look(): Promise<void> {
    for (const name of this.#moved()) if (!this.#isStopped) await this.#lookInto(name);
  }

  /** Where something is waiting: after the first look, which reads every store, commits tell. */
  #moved(): string[] {
    const { engine } = this.#parts;
    return engine.read(() => {
      const known = this.#waiting ?? new Set<string>();
      try {
        if (this.#waiting === undefined) throw new EngineError('revision_compacted', 'nothing was read yet', {});
        const { touched, untold, revision } = engine.recordTouches([endNoticeCollection], this.#revision, COMMITS_MAX);
        for (const { store } of touched) known.add(store);
        for (const store of untold) if (store.startsWith(storeOf(''))) known.add(store);
        this.#revision = revision;
      } catch (error) {
        if (!(error instanceof EngineError) || error.code !== 'revision_compacted') throw error;
        this.#revision = engine.revision();
        for (const name of engine.storeNames()) if (name.startsWith(storeOf(''))) known.add(name);
      }
      this.#waiting = known;
      return [...known];
    });
  }

  async #lookInto(name: string): Promise<void> {
    const { engine, directory } = this.#parts;
    const organization = engine.read(() => directory.find(name.slice(storeOf('').length)));
    if (organization === undefined) {
      this.#waiting?.delete(name);
      return;
    }
    // the one that was looked into goes behind the others
    this.#waiting?.delete(name);
    this.#waiting?.add(name);
    await this.#expand(organization);
    const now = this.#parts.clock.now();
    const { store } = organization;
    for (const delivery of engine.read(() => this.#slots.take(store, now))) this.#begin(organization, delivery);
    const isDone = engine.read(() => endNotices(store, 1).length === 0 && isEmpty(organization));
    if (isDone) this.#waiting?.delete(name);
  }

  async #expand({ store }: Organization): Promise<void> {
    const { engine, clock, audit } = this.#parts;
    while (!this.#isStopped) {
      const plan = engine.read(() => expandNotices(store, clock.now(), audit.newId, STEP));
      if (plan.changes.length === 0) return;
      await engine.submit(engine.command(plan.changes, { preconditions: plan.preconditions }));
    }
  }

  #begin(organization: Organization, delivery: DeliveryEntry): void {
    const attempt = this.#parts.background
      .run('logout_notices', () => this.#attempt(organization, delivery))
      .then(() => this.#lookSoon());
    this.#slots.occupy(organization.store, delivery, attempt);
  }

  #lookSoon(): void {
    if (this.#isStopped || this.#isRefillDue) return;
    this.#isRefillDue = true;
    this.#parts.background.after('logout_notices', REFILL_MS, () => {
      this.#isRefillDue = false;
      return this.#isStopped ? undefined : this.#lookOnce();
    });
  }

  async #attempt(organization: Organization, delivery: DeliveryEntry): Promise<void> {
    const { engine, clock } = this.#parts;
    const { store } = organization;
    const isLate = clock.now() - delivery.document.createdAt >= LIFETIME_MS;
    const outcome: SendOutcome = isLate
      ? { kind: 'refused', reason: 'too late' }
      : await sendLogout(this.#parts, organization, delivery);
    const attempts = delivery.document.attempts + 1;
    const gap = outcome.kind === 'failed' ? gapsMs[attempts - 1] : undefined;
    const again = { ...delivery.document, attempts, dueAt: clock.now() + (gap ?? 0) };
    const change = gap === undefined ? deliveryDelete(store, delivery) : deliveryWrite(store, delivery.id, again);
    await engine.submit(engine.command([change], { preconditions: [deliveryUnchanged(store, delivery)] }));
    if (gap === undefined && 'reason' in outcome) this.#giveUp(organization, delivery, outcome.reason, attempts);
  }

  #giveUp(organization: Organization, { id, document }: DeliveryEntry, reason: string, attempts: number): void {
    const { clientId, sessionId } = document;
    const facts = { requestId: id, header: () => '', clientAddress: () => '' };
    this.#failures.note(organization, { id: clientId, type: 'agent' }, facts, {
      eventType: 'admin.action',
      action: 'client.notify_logout',
      targetType: 'client',
      targetId: clientId,
      metadata: { sessionId, reason, attempts },
    });
  }
}

function isEmpty({ store }: Organization): boolean {
  return store.recordIndex(deliveryCollection).ids(undefined, '', { limit: 1 }).length === 0;
}
