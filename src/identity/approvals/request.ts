import {
  elevationSettings,
  holdsToLend,
  mayDecide,
  type TaskView,
  taskView,
  wasAsked,
} from '../../directory/elevations/index.ts';
import { agentRecords, findPermission, getUser, taskRecords } from '../../directory/records/index.ts';
import { ProblemError, problem } from '../../http/index.ts';
import { digestOf } from '../../platform/index.ts';
import { said } from '../../texts/index.ts';
import type { AccountDependencies, AccountVisit } from '../account/index.ts';

/** A request of an agent as one person sees it. */
export interface ApprovalRequest {
  readonly view: TaskView;
  /** Slugs that this person could lend now. */
  readonly lendable: ReadonlySet<string>;
  /** Of a slug: the type of objects that it is about, where it is about one. */
  readonly types: ReadonlyMap<string, string>;
  /** Whether somebody can decide it: it waits, and its agent is active. */
  readonly isOpen: boolean;
  /** The person who has decided; `undefined` while nobody has, and where they have left. */
  readonly deciderName: string | undefined;
  /** Whether the organization wants approvals by a second factor that was proved a short while ago. */
  readonly needsProof: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

type Asker = Pick<AccountVisit, 'organization' | 'user' | 't'>;

/**
 * `undefined` where this person was asked and can no longer decide.
 * @param proof what shows that they were asked: see `askedProof`
 * @throws ProblemError 404 for everybody else who neither decides nor has decided, and has lent nothing: there is no hint
 * that it exists
 */
export function requestFor(
  dependencies: AccountDependencies,
  asker: Asker,
  id: string,
  proof: string,
): ApprovalRequest | undefined {
  const { organization, user } = asker;
  const { store } = organization;
  const now = dependencies.clock.now();
  return dependencies.engine.read(() => {
    const entry = taskRecords.get(store, id);
    if (entry === undefined) throw noRequest(asker);
    const { decided, grant, resources } = entry.document;
    const isTheirs = decided?.by === user.id || grant?.lenderId === user.id;
    if (!isTheirs && !mayDecide(dependencies, organization, user.id, entry, now)) {
      if (wasAsked(dependencies.sealer, organization, id, user.id, proof)) return undefined;
      throw noRequest(asker);
    }
    const view = taskView(store, entry, now);
    const question = { organization, rights: dependencies.rights, userId: user.id, now };
    const slugs = view.scopes.map(({ slug }) => slug);
    return {
      view,
      lendable: new Set(slugs.filter((slug) => holdsToLend(question, slug, resources))),
      types: new Map(
        slugs.flatMap((slug) => {
          const type = findPermission(store, slug)?.document.resource;
          return type === undefined ? [] : [[slug, type] as const];
        }),
      ),
      isOpen: view.status === 'pending' && agentRecords.get(store, view.agent.id)?.document.isActive === true,
      deciderName: decided && decided.byType !== 'rule' ? nameOf(decided.by) : undefined,
      needsProof: elevationSettings(store).requireSecondFactor,
      now,
    };
  });

  function nameOf(userId: string): string | undefined {
    const decider = getUser(store, userId)?.document;
    return decider?.name ?? decider?.email;
  }
}

/** The same whether there is such a request or not. */
function noRequest({ user }: Asker) {
  return new ProblemError(problem('not_found', said('approvals.notYours', { email: user.document.email })));
}

const SEEN_LENGTH = 8;

/** What the page has shown of each scope, so that it can be said later what is new: `slug~digest`, with spaces between. */
export function seenOf({ scopes }: TaskView): string {
  return scopes
    .map(({ slug, justification = '' }) => `${slug}~${digestOf(justification).slice(0, SEEN_LENGTH)}`)
    .join(' ');
}

/** Slugs of what a page that was shown earlier did not have, or had with another reason. */
export function newSince(view: TaskView, seen: string): ReadonlySet<string> {
  const known = new Set(seen.split(' '));
  return new Set(
    view.scopes.filter((scope) => !known.has(seenOf({ ...view, scopes: [scope] }))).map(({ slug }) => slug),
  );
}
