import type { Change, Precondition, Store } from '#engine';
import { areCurrent, currentEpochs, type Epochs } from '../../directory/epochs/index.ts';
import { countsNow, getUser, type UserEntry } from '../../directory/records/index.ts';
import { readSettings } from '../../directory/settings/index.ts';
import { type Reply, redirect } from '../../http/index.ts';
import { type AuditEvent, type RequestFacts, userActing } from '../../kernel/audit/index.ts';
import { commit } from '../../kernel/commits/index.ts';
import type { DomainEvent } from '../../kernel/events/index.ts';
import type { Organization } from '../../kernel/organizations/index.ts';
import { commitPlanAs, nothingToCommit, type Plan } from '../../kernel/transactions/index.ts';
import { issuerPath, leaving, type Site, siteOf } from '../pages/index.ts';
import type { AuthMethod } from '../sessions/index.ts';
import { type Visitor, visitorOf } from './browser/visitor.ts';
import type { SignInDependencies } from './dependencies.ts';
import { type Finished, finish, withSession } from './finish.ts';
import { failedLogin } from './first-factor/failed-login.ts';
import { type FlowEntry, flowRecords, newFlow, ownFlow, type Proven, type Purpose } from './flow/flow-record.ts';
import { accountUnusable, lost } from './problems.ts';
import type { Due, Step, StepState } from './steps/step.ts';

/** A first factor, or what stands for all of them. */
export interface Proof {
  readonly userId: string;
  readonly method: AuthMethod;
  /** RFC 8176. */
  readonly amr: readonly string[];
  /** Whether it counts as more than one factor. */
  readonly mfa: boolean;
  /** As what the user was tried, where failures were counted: they are forgiven. */
  readonly account?: string | undefined;
  /** The user's address, where the proof has shown that it is the user's. */
  readonly verifiedEmail?: string | undefined;
  /** Those in which it was judged, where that took time: what has ended since is no proof. */
  readonly epochs?: Epochs | undefined;
}

/** What a step has done, to be committed with the way on. */
export interface Advance {
  readonly proven: Proven;
  readonly changes?: readonly Change[];
  readonly preconditions?: readonly Precondition[];
  readonly entries?: readonly AuditEvent[];
  readonly events?: readonly DomainEvent[];
}

type Outcome =
  | { readonly kind: 'lost' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'due'; readonly due: Due }
  | Finished;

/** The way of a browser from the first page to a session: one for each thread. */
export class SignIn {
  readonly #dependencies: SignInDependencies;
  readonly #steps: readonly Step[];
  readonly #site: Site;

  constructor(dependencies: SignInDependencies, steps: readonly Step[]) {
    this.#dependencies = dependencies;
    this.#steps = steps;
    this.#site = siteOf(dependencies.baseUrl);
  }

  visitor(call: { header(name: string): string }, organization: Organization): Visitor {
    return visitorOf(this.#dependencies, call, organization);
  }

  /** Puts a flow on record and sends the browser to its first page. The reply is not yet dressed: see `Visitor`. */
  async begin(organization: Organization, visitor: Visitor, purpose: Purpose): Promise<Reply<never>> {
    const { id } = await this.start(organization, visitor, purpose);
    return redirect(303, this.#page(organization, firstPage(purpose), id));
  }

  /** Puts a flow on record. */
  async start(organization: Organization, visitor: Visitor, purpose: Purpose): Promise<FlowEntry> {
    const { engine, clock, audit } = this.#dependencies;
    requireOwnPath(this.#site, organization, purpose.returnTo);
    const id = audit.newId();
    const flow = newFlow(visitor.browser, purpose, clock.now());
    await commit(engine, organization.store, (changes) => changes.put(flowRecords, id, flow));
    const entry = this.flow(organization, visitor, id);
    if (entry === undefined) throw lost();
    return entry;
  }

  /** The flow with this id, where this browser has begun it and it still goes on. */
  flow(organization: Organization, visitor: Visitor, id: string): FlowEntry | undefined {
    const { engine, clock } = this.#dependencies;
    return engine.read(() => ownFlow(organization.store, visitor.browser, id, clock.now()));
  }

  /** The page at which a flow stands, once somebody has been proved. To be called inside `Engine.read`. */
  due({ store }: Organization, flow: FlowEntry): Due | undefined {
    const { proven } = flow.document;
    const user = proven && getUser(store, proven.userId);
    if (proven === undefined || user === undefined || !areCurrent(store, proven.epochs)) return undefined;
    const now = this.#dependencies.clock.now();
    return firstDue(this.#steps, { store, settings: readSettings(store), user, flow, proven, now });
  }

  /** Keeps the name that somebody gave, for the pages that follow. */
  async remember(organization: Organization, visitor: Visitor, { id }: FlowEntry, loginHint: string): Promise<void> {
    const { engine, clock } = this.#dependencies;
    const { store } = organization;
    await commit(engine, store, (changes) => {
      const flow = changes.rely(flowRecords, ownFlow(store, visitor.browser, id, clock.now()));
      if (flow === undefined) throw lost();
      changes.put(flowRecords, id, { ...flow.document, loginHint });
    });
  }

  /** What a first factor has proved. Answers the way on: the next step, or the session and where it leads. */
  proved(
    organization: Organization,
    visitor: Visitor,
    flow: FlowEntry,
    proof: Proof,
    facts: RequestFacts,
    also: () => Omit<Advance, 'proven'> = () => ({}),
  ): Promise<Reply<never>> {
    const { store } = organization;
    const make = (_: FlowEntry, now: number): Advance => {
      const epochs = proof.epochs ?? epochsOf(store, proof.userId);
      return { ...also(), proven: { ...proof, at: now, epochs, skipped: [] } };
    };
    return this.advance(organization, visitor, flow, facts, make, proof.userId);
  }

  /** A second factor of the user who is on the way in this flow. */
  secondFactor(
    organization: Organization,
    visitor: Visitor,
    flow: FlowEntry,
    { amr }: { readonly amr: readonly string[] },
    facts: RequestFacts,
  ): Promise<Reply<never>> {
    return this.advance(organization, visitor, flow, facts, ({ document }) => {
      const proven = sameProof(flow, document.proven);
      return { proven: { ...proven, mfa: true, amr: [...new Set([...proven.amr, ...amr, 'mfa'])] } };
    });
  }

  /** Whatever a user may put off: `factor`, `profile`. */
  skipped(
    organization: Organization,
    visitor: Visitor,
    flow: FlowEntry,
    step: string,
    facts: RequestFacts,
  ): Promise<Reply<never>> {
    return this.advance(organization, visitor, flow, facts, ({ document }) => {
      const proven = sameProof(flow, document.proven);
      return { proven: { ...proven, skipped: [...new Set([...proven.skipped, step])] } };
    });
  }

  /** Goes on where the flow stands, with nothing new. */
  resume(organization: Organization, visitor: Visitor, flow: FlowEntry, facts: RequestFacts): Promise<Reply<never>> {
    return this.advance(organization, visitor, flow, facts, ({ document }) => ({
      proven: requireProven(document.proven),
    }));
  }

  /**
   * Commits what a step has done and goes on. `make` works in one snapshot with the flow as it is there, and is called
   * again where another commit came between; it throws `ProblemError` to stop.
   */
  async advance(
    organization: Organization,
    visitor: Visitor,
    { id, document: { proven } }: FlowEntry,
    facts: RequestFacts,
    make: (flow: FlowEntry, now: number) => Advance,
    userId = requireProven(proven).userId,
  ): Promise<Reply<never>> {
    const { store } = organization;
    const email = this.#dependencies.engine.read(() => getUser(store, userId)?.document.email);
    const actor = { ...userActing(userId), email };
    const outcome = await commitPlanAs(this.#dependencies, organization, actor, facts, (now): Plan<Outcome> => {
      const flow = ownFlow(store, visitor.browser, id, now);
      if (flow === undefined) return nothingToCommit({ kind: 'lost' });
      const advance = make(flow, now);
      const user = getUser(store, advance.proven.userId);
      return this.#plan({ organization, visitor, flow, advance, facts, user, now });
    });
    if (outcome.kind === 'refused') {
      this.#dependencies.failures.note(organization, actor, facts, {
        eventType: 'user.login_failed',
        action: 'login.refused',
        targetType: 'user',
        targetId: userId,
        event: failedLogin({ userId, email: email ?? null, account: email ?? userId }, facts, 'not_allowed'),
      });
    }
    return this.#answer(organization, id, outcome);
  }

  #plan(state: PlanState): Plan<Outcome> {
    const { organization, flow, advance, user, now } = state;
    const { store } = organization;
    const { proven, changes = [], preconditions = [], entries = [], events = [] } = advance;
    if (user === undefined || !countsNow(user.document) || !areCurrent(store, proven.epochs)) {
      const { proven: _, ...rest } = flow.document;
      return {
        changes: [flowRecords.put(store, flow.id, rest)],
        preconditions: [flowRecords.same(store, flow)],
        result: { kind: 'refused' },
      };
    }
    const settings = readSettings(store);
    const due = firstDue(this.#steps, { store, settings, user, flow, proven, now });
    if (due === undefined) return finish(this.#dependencies, { ...state, user, settings });
    return {
      changes: [...changes, flowRecords.put(store, flow.id, { ...flow.document, proven })],
      preconditions: [...preconditions, flowRecords.same(store, flow)],
      entries: [...entries, ...(due.entries ?? [])],
      events: [...events, ...(due.events ?? [])],
      result: { kind: 'due', due },
    };
  }

  #answer(organization: Organization, id: string, outcome: Outcome): Reply<never> {
    switch (outcome.kind) {
      case 'lost':
        throw lost();
      case 'refused':
        throw accountUnusable();
      case 'due':
        return redirect(303, this.#page(organization, outcome.due.path, id));
      case 'finished':
        return withSession(
          this.#dependencies.baseUrl,
          organization,
          outcome,
          leaving(outcome.returnTo, outcome.leadsTo ?? outcome.returnTo),
        );
    }
  }

  #page({ slug }: Organization, path: string, flow: string): string {
    return `${issuerPath(this.#site, slug)}${path}?flow=${flow}`;
  }
}

/** What ends a user's sessions also ends what the user has proved on the way to one. */
export function epochsOf(store: Store, userId: string): Epochs {
  return currentEpochs(store, ['sessions', `sessions:${userId}`]);
}

export interface PlanState {
  readonly organization: Organization;
  readonly visitor: Visitor;
  readonly flow: FlowEntry;
  readonly advance: Advance;
  readonly facts: RequestFacts;
  readonly user: UserEntry | undefined;
  readonly now: number;
}

/** What belongs to one proof is not added to another one, of another user, that has come between. */
function sameProof({ document }: FlowEntry, current: Proven | undefined): Proven {
  const proven = requireProven(current);
  if (proven.userId !== document.proven?.userId || proven.at !== document.proven.at) throw lost();
  return proven;
}

function requireProven(proven: Proven | undefined): Proven {
  if (proven === undefined) throw lost();
  return proven;
}

function firstPage({ provider, screen }: Purpose): string {
  if (provider !== undefined) return `/signin/social/${encodeURIComponent(provider)}`;
  return { signin: '/signin', signup: '/signin/signup', forgot: '/signin/forgot' }[screen ?? 'signin'];
}

function firstDue(steps: readonly Step[], state: StepState): Due | undefined {
  for (const step of steps) {
    const due = step.due(state);
    if (due !== undefined) return due;
  }
  return undefined;
}

const RETURN_MAX = 8192;

/** A fault of the caller, never of a request: where a sign-in leads is made by the service. */
function requireOwnPath(site: Site, { slug }: Organization, path: string): void {
  const own = `${issuerPath(site, slug)}/`;
  const isPath = path.length <= RETURN_MAX && path.startsWith(own) && /^[\x21-\x5b\x5d-\x7e]+$/.test(path);
  // as a browser reads it: without dots that lead out
  const { host, pathname } = new URL(isPath ? path : '/', 'http://own.invalid');
  if (!isPath || host !== 'own.invalid' || !pathname.startsWith(own)) {
    throw new RangeError('a sign-in leads to a path of its organization');
  }
}
