import { performance } from 'node:perf_hooks';
import type { Engine } from '#engine';
import type { Outcome, Problem, Visit, WatchedVisit } from '../../../http/index.ts';
import { commitIfPossible } from '../../../kernel/commits/index.ts';
import type { Caller, Organization } from '../../../kernel/organizations/index.ts';
import type { Clock } from '../../../platform/index.ts';
import { actorOf, answeredBy, askedAs, askedBy, filterOf, idsOf, type UnmatchedRequest } from './request-entry.ts';
import { type ScimRequestRecord, scimRequestRecords } from './request-record.ts';

/** Most entries of one organization and thread between two flushes. Further requests are only counted. */
const WAITING_MAX = 500;
/** The same for unauthenticated requests, so that guesses do not displace other entries. */
const STRANGERS_MAX = 10;
const ORGANIZATIONS_MAX = 1000;
/** Entries of one commit. */
const BATCH = 250;

interface Waiting {
  entries: ScimRequestRecord[];
  strangers: number;
  omitted: number;
}

/** Records SCIM requests after their answers, in batches. Each thread has one. */
export class ScimRequestLog {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Waiting>();

  constructor(engine: Engine, clock: Clock) {
    this.#engine = engine;
    this.#clock = clock;
  }

  /** Begins an entry for an authenticated request. The result is called with its outcome. */
  watch(caller: Caller, visit: WatchedVisit): (outcome: Outcome) => void {
    const asked = askedBy(visit, this.#clock.now());
    const startedAt = performance.now();
    return (outcome) => {
      const filter = filterOf(visit);
      const actor = actorOf(caller);
      this.#note(caller.organization, {
        ...asked,
        durationMs: Math.round(performance.now() - startedAt),
        ...(filter === undefined ? {} : { filter }),
        ...answeredBy(outcome),
        ...(actor === undefined ? {} : { actor }),
        ids: idsOf(visit, outcome),
      });
    };
  }

  /** Begins an entry for any request. The result is called if authentication fails. */
  watchStranger(visit: Visit): (organization: Organization, refusal: Problem) => void {
    const asked = askedBy(visit, this.#clock.now());
    return (organization, refusal) =>
      this.#note(organization, { ...asked, durationMs: 0, ...answeredBy(refusal), ids: [] });
  }

  /** An entry for a request below a base that no endpoint is for. Nobody was asked who it is from. */
  unmatched(organization: Organization, request: UnmatchedRequest, refusal: Problem): void {
    const asked = askedAs(request, this.#clock.now());
    this.#note(organization, { ...asked, durationMs: 0, ...answeredBy(refusal), ids: [] });
  }

  #note({ store: { name } }: Organization, entry: ScimRequestRecord): void {
    let waiting = this.#waiting.get(name);
    if (waiting === undefined) {
      if (this.#waiting.size >= ORGANIZATIONS_MAX) return;
      waiting = { entries: [], strangers: 0, omitted: 0 };
      this.#waiting.set(name, waiting);
    }
    const isStranger = entry.actor === undefined;
    if (waiting.entries.length >= WAITING_MAX || (isStranger && waiting.strangers >= STRANGERS_MAX)) {
      waiting.omitted++;
      return;
    }
    if (isStranger) waiting.strangers++;
    waiting.entries.push(entry);
  }

  /** To be called every few seconds, and at the end of the thread. */
  async flush(): Promise<void> {
    for (const [name, { entries, omitted }] of this.#waiting) {
      this.#waiting.delete(name);
      const last = entries.at(-1);
      if (last !== undefined && omitted > 0) entries[entries.length - 1] = { ...last, omitted };
      for (let from = 0; from < entries.length; from += BATCH) {
        const isWritten = await commitIfPossible(this.#engine, name, (changes) => {
          for (const entry of entries.slice(from, from + BATCH)) changes.append(scimRequestRecords, entry);
        });
        if (!isWritten) break;
      }
    }
  }
}
