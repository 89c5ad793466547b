import type { Store } from '#engine';
import { getUser, userActing } from '../../../directory/records/index.ts';
import { registerUser } from '../../../directory/users/index.ts';
import type { Reply } from '../../../http/index.ts';
import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { refused, transactAs } from '../../../kernel/transactions/index.ts';
import { said } from '../../../texts/index.ts';
import { type ProviderEntry, providerRecords } from '../../providers/index.ts';
import { liveSession } from '../../sessions/index.ts';
import type { FlowEntry, Visitor } from '../../signin/index.ts';
import type { FederationDependencies } from '../dependencies.ts';
import { type Arrival, whoHasCome } from '../identities/arrival.ts';
import { findIdentity, IDENTITIES_MAX, identitiesOf } from '../identities/identity-record.ts';
import { type IdentityChange, link, linkUser } from '../identities/link.ts';
import type { ExternalIdentity, Upstream } from '../upstreams/upstream.ts';
import type { Aim } from './attempt-record.ts';
import type { Stop } from './pages.tsx';

/** Somebody who has come back, proved by a provider, in the browser that began. */
export interface Arriving {
  readonly organization: Organization;
  readonly visitor: Visitor;
  readonly facts: RequestFacts;
  readonly provider: ProviderEntry;
  readonly method: Upstream['method'];
  readonly identity: ExternalIdentity;
}

/** Of sign-ins through a provider: no value of RFC 8176 says that somebody else has looked. */
const amr = ['fed'];

/** Signs in who has come, where the organization knows them or lets them in. */
export async function arriveToSignIn(
  dependencies: FederationDependencies,
  arriving: Arriving,
  flow: FlowEntry,
): Promise<Reply<never> | Stop> {
  const { organization, provider, identity, method } = arriving;
  const { engine, clock, rights, audit } = dependencies;
  const ask = () => whoHasCome({ organization, rights, provider, identity, now: clock.now() });
  const arrival = await registered(dependencies, arriving, engine.read(ask), ask);
  if (arrival.kind !== 'known' && arrival.kind !== 'found') return arrival.kind === 'new' ? 'link_first' : arrival.kind;
  const { user } = arrival;
  const isTrusted = identity.emailVerified && identity.isTrustedForEmail;
  const proof = { userId: user.id, method, amr, mfa: false, ...(isTrusted ? { verifiedEmail: identity.email } : {}) };
  const id = audit.newId();
  const also = (): Partial<IdentityChange> => {
    requireAsJudged(organization.store, provider);
    const again = ask();
    if (again.kind === 'known' && again.user.id === user.id) return {};
    if (again.kind !== 'found' || again.user.id !== user.id) throw changedMeanwhile();
    return linkUser(organization.store, again.user, { id, provider, identity, how: 'found', now: clock.now() });
  };
  return dependencies.signIn.proved(arriving, flow, proof, also);
}

/** Not switched off, and not led elsewhere, since somebody was proved by it. */
function requireAsJudged(store: Store, { id, version }: ProviderEntry): void {
  if (providerRecords.get(store, id)?.version !== version) throw changedMeanwhile();
}

function changedMeanwhile() {
  return refused(said('refusals.changedMeanwhile'));
}

/** Whoever is new is made a user, and is known then. */
async function registered(
  dependencies: FederationDependencies,
  { organization, facts, provider, identity }: Arriving,
  arrival: Arrival,
  again: () => Arrival,
): Promise<Arrival> {
  if (arrival.kind !== 'new') return arrival;
  const { email } = arrival;
  const { emailVerified, profile } = identity;
  const registration = { email, emailVerified, profile, through: provider.document.provider };
  await registerUser(dependencies, organization, facts, registration, (now, userId) => {
    requireAsJudged(organization.store, provider);
    return link(organization.store, {
      id: dependencies.audit.newId(),
      provider,
      identity,
      userId,
      userEmail: email,
      how: 'registered',
      now,
    });
  });
  // also where somebody else took the address, or the same person came twice at once
  return dependencies.engine.read(again);
}

/** Links who has come to the user who is signed in, and began. `undefined`: it is done. */
export function arriveToLink(
  dependencies: FederationDependencies,
  { organization, visitor, facts, provider, identity }: Arriving,
  aim: Extract<Aim, { kind: 'link' }>,
): Promise<Stop | undefined> {
  const { store } = organization;
  const { userId, sessionId } = aim;
  const actor = userActing(userId);
  return transactAs(dependencies, organization, actor, facts, (transaction): Stop | undefined => {
    const { now } = transaction;
    const session = liveSession(store, sessionId, now);
    const user = getUser(store, userId);
    // signed out meanwhile, or somebody else has signed in
    if (session === undefined || user === undefined || visitor.session?.entry.id !== sessionId) return 'over';
    requireAsJudged(store, provider);
    const known = findIdentity(store, provider.id, identity);
    if (known !== undefined) return known.document.userId === userId ? undefined : 'taken';
    if (identitiesOf(store, userId).length >= IDENTITIES_MAX) return 'too_many';
    transaction.add(linkUser(store, user, { id: transaction.newId(), provider, identity, how: 'linked', now }));
    return undefined;
  });
}
