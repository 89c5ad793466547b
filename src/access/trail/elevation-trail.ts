import type { Engine } from '#engine';
import { type Outcome, Problem, type Visit, type WatchedVisit } from '../../http/index.ts';
import type { AuditMaker } from '../../kernel/audit/index.ts';
import { commitIfPossible } from '../../kernel/commits/index.ts';
import type { Caller, Organization } from '../../kernel/organizations/index.ts';
import { idsBeyond, USES_MAX, type Use, useRecords } from './use-record.ts';

/** Elevations of which uses wait to be written, in one thread. */
const WAITING_MAX = 20_000;

interface Waiting {
  readonly store: string;
  /** The last ones; at `next` stands the oldest once there are `USES_MAX`. */
  readonly uses: Use[];
  next: number;
  omitted: number;
}

/** Remembers what elevated tokens are used for, and writes it down in batches. Each thread has one. */
export class ElevationTrail {
  readonly #engine: Engine;
  readonly #audit: AuditMaker;
  readonly #waiting = new Map<string, Waiting>();

  constructor(engine: Engine, audit: AuditMaker) {
    this.#engine = engine;
    this.#audit = audit;
  }

  /** What is to be called with the outcome of a request; `undefined` where its token is not elevated. */
  watch({ agency, organization }: Caller, visit: WatchedVisit): ((outcome: Outcome) => void) | undefined {
    if (agency?.kind !== 'elevation') return undefined;
    const at = this.#audit.now();
    return (outcome) => this.#note(organization.store.name, agency.id, useOf(at, visit, outcome));
  }

  /** A use that was refused before anything of the request was read: what was lent has ended, or it came from elsewhere. */
  refused(
    { store }: Organization,
    taskId: string,
    { endpoint: { method, path } }: Pick<Visit, 'endpoint'>,
    status: number,
  ): void {
    this.#note(store.name, taskId, { at: this.#audit.now(), method, path, status });
  }

  #note(store: string, taskId: string, use: Use): void {
    const waiting = this.#waiting.get(taskId);
    if (waiting === undefined) {
      if (this.#waiting.size < WAITING_MAX) {
        this.#waiting.set(taskId, { store, uses: [use], next: 0, omitted: 0 });
      }
    } else if (waiting.uses.length < USES_MAX) {
      waiting.uses.push(use);
    } else {
      waiting.uses[waiting.next] = use;
      waiting.next = (waiting.next + 1) % USES_MAX;
      waiting.omitted++;
    }
  }

  /** To be called every few seconds, and at the end of the thread. */
  async flush(): Promise<void> {
    for (const [taskId, { store, uses, next, omitted }] of this.#waiting) {
      this.#waiting.delete(taskId);
      const [first, ...others] = [...uses.slice(next), ...uses.slice(0, next)];
      if (first === undefined) continue;
      const kept = { taskId, uses: [omitted === 0 ? first : { ...first, omitted }, ...others] };
      await commitIfPossible(this.#engine, store, (changes) => {
        changes.delete(useRecords, ...idsBeyond(changes.store, taskId, uses.length));
        changes.put(useRecords, this.#audit.newId(), kept);
      });
    }
  }
}

const TEXT_MAX = 256;

/** What is written down of a request. Of its input nothing but what was asked of the engine. */
function useOf(
  at: number,
  { endpoint: { method, path }, body }: Pick<WatchedVisit, 'endpoint' | 'body'>,
  outcome: Outcome,
): Use {
  const status = outcome instanceof Problem ? outcome.kind.status : outcome.status;
  return { at, method, path, status, ...(isQuestion(path) ? asked(body, outcome) : {}) };
}

function isQuestion(path: string): boolean {
  return /\/(?:authz|abac|zanzibar)\/check/.test(path);
}

type Asked = Pick<Use, 'permission' | 'object' | 'allowed' | 'questions'>;

interface Question {
  readonly permission?: unknown;
  readonly resource?: { readonly type?: unknown; readonly id?: unknown };
  readonly object?: unknown;
  readonly relation?: unknown;
  readonly checks?: unknown;
  readonly permissions?: unknown;
}

function asked(body: unknown, outcome: Outcome): Asked {
  const { permission, resource, object, relation, checks, permissions } = (body ?? {}) as Question;
  const many = checks ?? permissions;
  if (Array.isArray(many)) return { questions: many.length };
  const what = permission ?? relation;
  if (typeof what !== 'string') return {};
  const about = resource === undefined ? object : `${resource.type}:${resource.id}`;
  const allowed = answered(outcome);
  return {
    permission: what.slice(0, TEXT_MAX),
    ...(typeof about === 'string' ? { object: about.slice(0, TEXT_MAX) } : {}),
    ...(allowed === undefined ? {} : { allowed }),
  };
}

/** Answers to one question begin with it. */
function answered(outcome: Outcome): boolean | undefined {
  if (outcome instanceof Problem || typeof outcome.body !== 'string') return undefined;
  if (outcome.body.startsWith('{"allowed":true')) return true;
  return outcome.body.startsWith('{"allowed":false') ? false : undefined;
}
