import type { Store } from '#engine';
import { countsNow, getUser, type UserEntry } from '../../../directory/records/index.ts';
import type { GatheredChanges } from '../../../kernel/commits/index.ts';
import type { VisitorVisit } from '../browser/visitor-endpoint.ts';
import type { SignInDependencies } from '../dependencies.ts';
import { type Elsewhere, type FlowEntry, flowRecords, ownFlow } from '../flow-record.ts';
import type { SignInPageDependencies } from '../pages-dependencies.ts';
import { linkIsOver } from '../problems.ts';
import { findLink, type LinkEntry, type LinkPurpose } from './link-record.ts';

export interface Followed {
  readonly link: LinkEntry;
  /** In the browser that asked. */
  readonly flow: FlowEntry | undefined;
  /** In another one: that of the browser that asked, while it lasts. */
  readonly asked: FlowEntry | undefined;
}

type Visit = Pick<VisitorVisit, 'organization' | 'visitor'>;

/**
 * The link that a mail has brought, in whatever browser. To be called inside `Engine.read`.
 * @throws ProblemError 404 where it is over
 */
export function followed(
  { clock }: SignInDependencies,
  { organization: { store }, visitor }: Visit,
  purpose: LinkPurpose,
  token: string,
): Followed {
  const now = clock.now();
  const link = findLink(store, token, purpose, now);
  if (link === undefined) throw linkIsOver();
  const { flow: id, browser } = link.document;
  // one that nobody asked for leads on in the browser that was there, while its flow lasts
  if (browser === '') return { link, flow: ownFlow(store, visitor.browser, id, now), asked: undefined };
  const begun = ownFlow(store, browser, id, now);
  if (browser !== visitor.browser) return { link, flow: undefined, asked: begun };
  if (begun === undefined) throw linkIsOver();
  return { link, flow: begun, asked: undefined };
}

/**
 * The same with its user, who still has the address. To be called inside `Engine.read`.
 * @throws ProblemError 404 where the link is over, or the user no longer counts
 */
export function followedByUser(
  dependencies: SignInDependencies,
  visit: Visit,
  purpose: LinkPurpose,
  token: string,
): Followed & { readonly user: UserEntry } {
  const found = followed(dependencies, visit, purpose, token);
  const { email, userId = '' } = found.link.document;
  const user = getUser(visit.organization.store, userId);
  if (user === undefined || !countsNow(user.document) || user.document.email !== email) throw linkIsOver();
  return { ...found, user };
}

/** The flow that a link leads on in: that of the browser, or in another one than asked a new one to the account. */
export async function flowOf(
  { signIn }: SignInPageDependencies,
  { organization, visitor, base }: Visit & { readonly base: string },
  { flow }: Followed,
): Promise<FlowEntry> {
  return flow ?? signIn.start(organization, visitor, { returnTo: `${base}/account` });
}

/** Tells the page that waits where the link was asked for. To be called in the snapshot of the commit. */
export function telling(store: Store, { asked }: Followed, elsewhere: Elsewhere): Required<GatheredChanges> {
  const entry = asked && flowRecords.get(store, asked.id);
  if (entry === undefined) return { changes: [], preconditions: [] };
  return {
    changes: [flowRecords.put(store, entry.id, { ...entry.document, elsewhere })],
    preconditions: [flowRecords.same(store, entry)],
  };
}
