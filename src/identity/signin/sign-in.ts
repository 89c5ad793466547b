import type { Store } from '#engine';
import { areCurrent, currentEpochs, type Epochs } from '../../directory/epochs/index.ts';
import { countsNow, getUser, userActing } from '../../directory/records/index.ts';
import { readSettings } from '../../directory/settings/index.ts';
import { type Reply, redirect } from '../../http/index.ts';
import type { RequestFacts } from '../../kernel/audit/index.ts';
import { commit } from '../../kernel/commits/index.ts';
import type { Organization } from '../../kernel/organizations/index.ts';
import { type OrganizationTransaction, type Part, transactAs } from '../../kernel/transactions/index.ts';
import { issuerPath, leaving, type Site, siteOf } from '../pages/index.ts';
import { type Visitor, visitorOf } from './browser/visitor.ts';
import type { SignInDependencies } from './dependencies.ts';
import { type Finished, finish, withSession } from './finish.ts';
import { type FlowEntry, flowRecords, newFlow, ownFlow, type Proven, type Purpose } from './flow-record.ts';
import { accountUnusable, lost } from './problems.ts';
import { failedLogin } from './signin-events.ts';
import { type Due, firstDue, type Skippable } from './steps.ts';

/** A first factor, or what stands for all of them. */
export interface Proof extends Omit<Proven, 'at' | 'epochs' | 'skipped'> {
  /** Those in which it was judged, where that took time: what has ended since is no proof. */
  readonly epochs?: Epochs | undefined;
}

/** What a step has done, to be committed with the way on. */
export interface Advance extends Part {
  readonly proven: Proven;
}

/** A request on the way to a session: where, by whom, and what audit entries tell of it. */
export interface Visiting {
  readonly organization: Organization;
  readonly visitor: Visitor;
  readonly facts: RequestFacts;
}

type Outcome =
  | { readonly kind: 'lost' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'due'; readonly due: Due }
  | Finished;

/** The way of a browser from the first page to a session: one for each thread. */
export class SignIn {
  readonly #dependencies: SignInDependencies;
  readonly #site: Site;

  constructor(dependencies: SignInDependencies) {
    this.#dependencies = dependencies;
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
    return firstDue({ store, settings: readSettings(store), user, flow, proven, now });
  }

  /** Keeps the name that somebody gave, for the pages that follow. */
  async remember({ organization, visitor }: Visiting, { id }: FlowEntry, loginHint: string): Promise<void> {
    const { engine, clock } = this.#dependencies;
    const { store } = organization;
    await commit(engine, store, (changes) => {
      const flow = changes.rely(flowRecords, ownFlow(store, visitor.browser, id, clock.now()));
      if (flow === undefined) throw lost();
      changes.put(flowRecords, id, { ...flow.document, loginHint });
    });
  }

  /** What a first factor has proved. Answers the way on: the next step, or the session and where it leads. */
  proved(visiting: Visiting, flow: FlowEntry, proof: Proof, also: () => Part = () => ({})): Promise<Reply<never>> {
    const { store } = visiting.organization;
    return this.#advance(visiting, flow, proof.userId, (_, now) => {
      const epochs = proof.epochs ?? epochsOf(store, proof.userId);
      return { ...also(), proven: { ...proof, at: now, epochs, skipped: [] } };
    });
  }

  /** A second factor of the user who is on the way in this flow. */
  secondFactor(visiting: Visiting, flow: FlowEntry, amr: readonly string[]): Promise<Reply<never>> {
    return this.#goOn(visiting, flow, (current) => {
      const proven = sameProof(flow, current);
      return { ...proven, mfa: true, amr: [...new Set([...proven.amr, ...amr, 'mfa'])] };
    });
  }

  skipped(visiting: Visiting, flow: FlowEntry, step: Skippable): Promise<Reply<never>> {
    return this.#goOn(visiting, flow, (current) => {
      const proven = sameProof(flow, current);
      return { ...proven, skipped: [...new Set([...proven.skipped, step])] };
    });
  }

  /** Goes on where the flow stands, with nothing new. */
  resume(visiting: Visiting, flow: FlowEntry): Promise<Reply<never>> {
    return this.#goOn(visiting, flow, (current) => current);
  }

  async #goOn(visiting: Visiting, flow: FlowEntry, next: (current: Proven) => Proven): Promise<Reply<never>> {
    const { userId } = requireProven(flow);
    return this.#advance(visiting, flow, userId, (current) => ({ proven: next(requireProven(current)) }));
  }

  /**
   * Commits what a step has done and goes on. `make` works in one snapshot with the flow as it is there, and is called
   * again where another commit came between; it throws `ProblemError` to stop.
   */
  async #advance(
    { organization, visitor, facts }: Visiting,
    { id }: FlowEntry,
    userId: string,
    make: (flow: FlowEntry, now: number) => Advance,
  ): Promise<Reply<never>> {
    const { store } = organization;
    const email = this.#dependencies.engine.read(() => getUser(store, userId)?.document.email);
    const actor = { ...userActing(userId), email };
    const outcome = await transactAs(this.#dependencies, organization, actor, facts, (transaction): Outcome => {
      const { now } = transaction;
      const flow = transaction.rely(flowRecords, ownFlow(store, visitor.browser, id, now));
      if (flow === undefined) return { kind: 'lost' };
      const { proven, ...done } = make(flow, now);
      return this.#goAhead(transaction, { organization, visitor, flow, proven, done, facts });
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

  #goAhead(transaction: OrganizationTransaction, state: Advancing): Outcome {
    const { flow, proven, done } = state;
    const { store, now } = transaction;
    const user = getUser(store, proven.userId);
    if (user === undefined || !countsNow(user.document) || !areCurrent(store, proven.epochs)) {
      const { proven: _, ...rest } = flow.document;
      transaction.put(flowRecords, flow.id, rest);
      return { kind: 'refused' };
    }
    transaction.add(done);
    const settings = readSettings(store);
    const due = firstDue({ store, settings, user, flow, proven, now });
    if (due === undefined) return finish(this.#dependencies, transaction, { ...state, user });
    transaction.put(flowRecords, flow.id, { ...flow.document, proven });
    const { entries = [], events = [] } = due;
    transaction.add({ entries, events });
    return { kind: 'due', due };
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

/** Where a sign-in stands in the snapshot that commits a step. */
export interface Advancing extends Visiting {
  readonly flow: FlowEntry;
  readonly proven: Proven;
  /** What the step has done beside. */
  readonly done: Part;
}

/** What belongs to one proof is not added to another one, of another user, that has come between. */
function sameProof({ document: { proven } }: FlowEntry, current: Proven): Proven {
  if (current.userId !== proven?.userId || current.at !== proven.at) throw lost();
  return current;
}

function requireProven({ document: { proven } }: FlowEntry): Proven {
  if (proven === undefined) throw lost();
  return proven;
}

function firstPage({ provider, screen }: Purpose): string {
  if (provider !== undefined) return `/signin/social/${encodeURIComponent(provider)}`;
  return { signin: '/signin', signup: '/signin/signup', forgot: '/signin/forgot' }[screen ?? 'signin'];
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
