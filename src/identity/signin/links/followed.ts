import type { VisitorVisit } from '../browser/visitor-endpoint.ts';
import type { SignInDependencies } from '../dependencies.ts';
import { type FlowEntry, ownFlow } from '../flow/flow-record.ts';
import { linkIsElsewhere, linkIsOver } from '../problems.ts';
import { findLink, type LinkEntry, type LinkPurpose } from './link-record.ts';

export interface Followed {
  readonly link: LinkEntry;
  readonly flow: FlowEntry;
}

/**
 * The link that a mail has brought, in the browser in which it was asked for. To be called inside `Engine.read`.
 * @throws ProblemError 404 where it is over, 403 in another browser
 */
export function followed(
  { clock }: SignInDependencies,
  { organization: { store }, visitor }: Pick<VisitorVisit<unknown, unknown>, 'organization' | 'visitor'>,
  purpose: LinkPurpose,
  token: string,
): Followed {
  const now = clock.now();
  const link = findLink(store, token, purpose, now);
  if (link === undefined) throw linkIsOver();
  if (link.document.browser !== visitor.browser) {
    throw linkIsElsewhere();
  }
  const flow = ownFlow(store, visitor.browser, link.document.flow, now);
  if (flow === undefined) throw linkIsOver();
  return { link, flow };
}
