import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Change, type Engine, EngineError } from '#engine';
import type { Background } from '../../platform/index.ts';
import { commit } from '../commits/index.ts';
import { type DomainEvent, recordEvent } from '../events/index.ts';
import type { Actor } from './actor.ts';
import { type AuditEvent, type AuditedOrganization, type AuditMaker, auditedAs, type RequestFacts } from './audited.ts';

export interface FailureLogDependencies {
  readonly engine: Engine;
  readonly audit: AuditMaker;
  readonly background: Background;
}

/** What was tried, and the event for so many failures of it. */
export interface Failure extends AuditEvent {
  readonly event?: (count: number) => DomainEvent;
}

interface Repeated {
  readonly organization: AuditedOrganization;
  readonly actor: Actor;
  readonly facts: RequestFacts;
  readonly auditEvent: Failure;
  readonly windowEnd: number;
  /** Those that are not on record yet. */
  count: number;
}

const WINDOW_MS = 60_000;
/** What is remembered at once, and how many failures of one organization are written at once in one minute. */
const KEYS_MAX = 10_000;
const AT_ONCE_MAX = 200;
/** Entries of one commit. */
const BATCH = 200;

/** Whoever was refused before anybody knew who it was. */
const anonymous: Actor = { id: 'anonymous', type: 'user' };
/** Stands for the actors of a flood that comes from too many sides to tell apart. */
const various: Actor = { id: 'various', type: 'user' };

/**
 * Puts refusals on record, after the answer and without holding it up. For each actor, address and action the first
 * refusal in a minute is written at once; later ones become one entry with a count at the minute's end. One for each
 * thread.
 */
export class FailureLog {
  readonly #dependencies: FailureLogDependencies;
  readonly #repeated = new Map<string, Repeated>();
  readonly #atOnce = new Map<string, number>();
  #minute = 0;

  constructor(dependencies: FailureLogDependencies) {
    this.#dependencies = dependencies;
  }

  /** `auditEvent` says what was tried; severity is `warning` where it says none. Never throws. */
  note(organization: AuditedOrganization, actor: Actor = anonymous, facts: RequestFacts, auditEvent: Failure): void {
    const store = organization.store.name;
    const key = JSON.stringify([store, actor.id, facts.clientAddress(), auditEvent.action]);
    const known = this.#repeated.get(key);
    if (known !== undefined) {
      known.count++;
      return;
    }
    const now = this.#dependencies.audit.now();
    const failure: Repeated = { organization, actor, facts, auditEvent, windowEnd: now + WINDOW_MS, count: 0 };
    if (this.#repeated.size >= KEYS_MAX) {
      this.#noteVarious(failure);
      return;
    }
    this.#repeated.set(key, failure);
    failure.count++;
    if (this.#mayBeAtOnce(store, now)) this.#writeSoon(failure);
  }

  /** Writes what is due; `all` at the end of the thread. To be called every few seconds. */
  async flush(all = false): Promise<void> {
    const now = this.#dependencies.audit.now();
    const due = new Map<string, Repeated[]>();
    for (const [key, failure] of this.#repeated) {
      if (!all && now < failure.windowEnd) continue;
      this.#repeated.delete(key);
      if (failure.count === 0) continue;
      const store = failure.organization.store.name;
      due.set(store, [...(due.get(store) ?? []), failure]);
    }
    for (const failures of due.values()) {
      for (let from = 0; from < failures.length; from += BATCH) await this.#write(failures.slice(from, from + BATCH));
    }
  }

  #writeSoon(failure: Repeated): void {
    const first = { ...failure };
    failure.count = 0;
    void this.#dependencies.background.run('failure_log', async () => {
      await nextTurn();
      await this.#write([first]);
    });
  }

  #noteVarious(failure: Repeated): void {
    const key = JSON.stringify([failure.organization.store.name, failure.auditEvent.action]);
    const known = this.#repeated.get(key);
    if (known !== undefined) known.count++;
    else this.#repeated.set(key, { ...failure, actor: various, count: 1 });
  }

  #mayBeAtOnce(store: string, now: number): boolean {
    const minute = Math.floor(now / WINDOW_MS);
    if (minute !== this.#minute) this.#atOnce.clear();
    this.#minute = minute;
    const count = (this.#atOnce.get(store) ?? 0) + 1;
    this.#atOnce.set(store, count);
    return count <= AT_ONCE_MAX;
  }

  #changes({ organization, actor, facts, auditEvent: { event, ...auditEvent }, count }: Repeated): Change[] {
    const { audit } = this.#dependencies;
    const metadata = { ...auditEvent.metadata, count };
    const about: AuditEvent = { severity: 'warning', ...auditEvent, result: 'failure', metadata };
    const entry = auditedAs(audit, organization, actor, facts, about);
    return event === undefined ? entry : [...entry, recordEvent(audit, organization.store, event(count))];
  }

  /** One command, of one organization. */
  async #write(failures: readonly Repeated[]): Promise<void> {
    const { engine, background } = this.#dependencies;
    const organization = failures[0]?.organization;
    if (organization === undefined) return;
    try {
      await commit(engine, organization.store.name, (changes) =>
        changes.change(failures.flatMap((each) => this.#changes(each))),
      );
    } catch (error) {
      // the organization is gone, or nothing can be written now: the caller has its answer anyway
      const isGone = error instanceof EngineError && error.code === 'unknown_store';
      if (!isGone) background.failed('failure_log', error, { organization: organization.id });
    }
  }
}
