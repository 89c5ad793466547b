import type { Store } from '#engine';
import { getUser, userActing } from '../../directory/records/index.ts';
import type { Reply } from '../../http/index.ts';
import type { RequestFacts } from '../../kernel/audit/index.ts';
import type { Organization } from '../../kernel/organizations/index.ts';
import { forbidden, notFound, refused, transactAs } from '../../kernel/transactions/index.ts';
import { said } from '../../texts/index.ts';
import { providerRecords, usableProviders } from '../providers/index.ts';
import type { VisitorVisit } from '../signin/index.ts';
import type { FederationDependencies } from './dependencies.ts';
import { onwardPage, stopPage } from './flow/pages.tsx';
import { start } from './flow/start.ts';
import { identitiesOf, identityRecords } from './identities/identity-record.ts';
import { unlink } from './identities/link.ts';
import { hasAnotherWayIn } from './identities/ways-in.ts';

/** An identity as its user sees it. */
export interface OwnIdentity {
  readonly id: string;
  /** As paths name the provider. */
  readonly provider: string;
  /** As people call the provider. */
  readonly name: string;
  readonly email: string | undefined;
  readonly linkedAt: number;
}

export interface OwnIdentities {
  readonly identities: readonly OwnIdentity[];
  /** Providers through which people may sign in now. */
  readonly linkable: readonly { readonly provider: string; readonly name: string }[];
}

type AnyVisit = Pick<VisitorVisit<unknown, unknown>, 'organization' | 'visitor' | 'facts' | 'site' | 'brand' | 't'>;

/** How long after a sign-in a user may link without another one. */
const FRESH_MS = 10 * 60 * 1000;

/** What users do about their own identities at providers. */
export class Federation {
  readonly #dependencies: FederationDependencies;

  constructor(dependencies: FederationDependencies) {
    this.#dependencies = dependencies;
  }

  /** To be called inside `Engine.read`. */
  list(store: Store, userId: string): OwnIdentities {
    const identities = identitiesOf(store, userId).flatMap(({ id, document }) => {
      const provider = providerRecords.get(store, document.providerId);
      if (provider === undefined) return [];
      const { name } = provider.document;
      return [{ id, provider: document.provider, name, email: document.email, linkedAt: document.linkedAt }];
    });
    const linkable = usableProviders(store).map(({ document: { provider, name } }) => ({ provider, name }));
    return { identities, linkable };
  }

  /**
   * Sends who is signed in to a provider, to link who they are there. Answers a page that leads on; who has signed in
   * too long ago is asked to do it again first, and comes back to `returnTo`.
   * @param returnTo a path of the organization's, for afterwards
   */
  async beginLink(visit: AnyVisit, identifier: string, returnTo: string): Promise<Reply<never>> {
    const { organization, visitor, facts } = visit;
    const { session } = visitor;
    if (session === undefined) throw forbidden('Nobody is signed in.');
    const { authTime } = session.entry.document;
    if (this.#dependencies.clock.now() - authTime > FRESH_MS) {
      // without what the page would say of a link that has not been made
      const [page = returnTo] = returnTo.split('?', 1);
      return this.#dependencies.signIn.begin(organization, visitor, { returnTo: page, fresh: true });
    }
    const { browser } = visitor;
    const aim = { kind: 'link', userId: session.user.id, sessionId: session.entry.id, returnTo } as const;
    const started = await start(this.#dependencies, { organization, browser, identifier, aim, wish: {}, facts });
    if ('url' in started) return onwardPage(visit, started.name, started.url);
    return stopPage(visit, { ...started, back: { label: visit.t('federation.toAccount'), href: returnTo } });
  }

  /** @throws ProblemError 404 where the user has no such identity, 422 where nothing else lets the user in */
  unlink(organization: Organization, userId: string, identityId: string, facts: RequestFacts): Promise<void> {
    const { store } = organization;
    const actor = userActing(userId);
    return transactAs(this.#dependencies, organization, actor, facts, (transaction) => {
      const entry = identityRecords.get(store, identityId);
      const user = getUser(store, userId);
      if (user === undefined || entry?.document.userId !== userId) throw notFound();
      if (!hasAnotherWayIn(store, user, identityId)) {
        throw refused(said('refusals.lastWayIn'));
      }
      transaction.add(unlink(store, entry, user));
    });
  }
}
