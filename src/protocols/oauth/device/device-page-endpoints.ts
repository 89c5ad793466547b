import { z } from 'zod';
import type { Store } from '#engine';
import { type Endpoint, type Reply, redirect } from '../../../http/index.ts';
import { Tries } from '../../../identity/limits/index.ts';
import { type VisitorVisit, visitorEndpoint } from '../../../identity/signin/index.ts';
import { addressKey } from '../../../platform/index.ts';
import { clientRecords } from '../clients/index.ts';
import { describedScopes } from '../consent/described-scopes.ts';
import type { AuthorizationDependencies } from '../protocol/dependencies.ts';
import { answerDevice } from './answer-device.ts';
import { allowPage, answeredPage, comparePage, enterPage } from './device-pages.tsx';
import { type DeviceEntry, deviceOfCode, deviceRecords, isWaiting, tagOfCode } from './device-record.ts';
import { readUserCode, shownUserCode } from './user-code.ts';

const path = '/orgs/{orgId}/device' as const;
const CODE_MAX = 64;

const decided = z.object({
  device: z.string().max(64),
  ticket: z.string().max(128),
  /** Whom the page was shown to. */
  account: z.string().max(256),
  decision: z.enum(['same', 'allow', 'refuse']),
});

type Visit = VisitorVisit<unknown, unknown>;
type SignedIn = NonNullable<Visit['visitor']['session']>;

/** `{issuer}/device`: where somebody types the code of a device, compares it, and agrees or refuses (RFC 8628, 3.3). */
export function devicePages(dependencies: AuthorizationDependencies): Endpoint[] {
  const tries = new Tries(dependencies.spent, 'user code');
  return [
    visitorEndpoint(dependencies.visits, {
      method: 'GET',
      path,
      summary: 'Connect a device',
      query: z.object({ user_code: z.string().max(CODE_MAX).optional() }),
      handler(visit) {
        const code = shown(visit.query.user_code ?? '');
        const { visitor, base } = visit;
        if (visitor.session === undefined) return signIn(dependencies, visit, code);
        return enterPage(visit, { action: `${base}/device`, csrf: visitor.csrf, code });
      },
    }),
    visitorEndpoint(dependencies.visits, {
      method: 'POST',
      path,
      summary: 'Find the device with a code',
      body: z.object({ user_code: z.string().max(CODE_MAX) }),
      handler(visit) {
        const { session } = visit.visitor;
        if (session === undefined) return signIn(dependencies, visit, shown(visit.body.user_code));
        return found(dependencies, tries, visit, session, visit.body.user_code);
      },
    }),
    visitorEndpoint(dependencies.visits, {
      method: 'GET',
      path: `${path}/decision`,
      summary: 'Begin again, where the address of the answer was opened by itself',
      handler: ({ base }) => redirect(303, `${base}/device`),
    }),
    visitorEndpoint(dependencies.visits, {
      method: 'POST',
      path: `${path}/decision`,
      summary: 'Agree or refuse',
      body: decided,
      async handler(visit) {
        const { device, ticket, account, decision } = visit.body;
        const { session } = visit.visitor;
        // somebody else has signed in since the page was shown
        if (session === undefined || session.user.id !== account) return signIn(dependencies, visit, '');
        const isAllowed = decision === 'allow';
        const isOwn = ticket === ticketOf(dependencies, visit, device, account);
        if (isOwn && decision === 'same') return asked(dependencies, visit, session, device);
        const isDone =
          isOwn && (await answerDevice(dependencies, visit, { id: device, session: session.entry, isAllowed }));
        return isDone ? answeredPage(visit, isAllowed) : again(visit, '', visit.t('consent.deviceGone'));
      },
    }),
  ];
}

function signIn(
  dependencies: AuthorizationDependencies,
  { organization, visitor, base }: Visit,
  code: string,
): Promise<Reply<never>> {
  const query = code === '' ? '' : `?user_code=${code}`;
  return dependencies.signIn.begin(organization, visitor, { returnTo: `${base}/device${query}` });
}

/** A code as it is written, or nothing: nothing else of what was sent is shown again or led back to. */
function shown(typed: string): string {
  const code = readUserCode(typed);
  return code === undefined ? '' : shownUserCode(code);
}

function again(visit: Visit, code: string, fault: string): Reply<never> {
  const { visitor, base } = visit;
  return enterPage(visit, { action: `${base}/device`, csrf: visitor.csrf, code, fault, status: 400 });
}

/** Tells whether there is such a device to only a few tries of one user, browser or address in ten minutes. */
function found(
  dependencies: AuthorizationDependencies,
  tries: Tries,
  visit: Visit,
  { user }: SignedIn,
  typed: string,
): Reply<never> {
  const { organization, visitor, call } = visit;
  const { engine, clock, sealer } = dependencies;
  const code = readUserCode(typed);
  if (code === undefined) return again(visit, '', visit.t('consent.deviceNoCode'));
  const address = addressKey(call.clientAddress());
  const names = [user.id, visitor.browser, address].map((name) => `${organization.id}\n${name}`);
  const giveBack = tries.take(names, clock.now());
  if (giveBack === undefined) return again(visit, '', visit.t('consent.deviceTries'));
  const { store } = organization;
  const tag = tagOfCode(sealer, organization.id, code);
  const device = engine.read(() => waiting(store, deviceOfCode(store, tag), clock.now()));
  if (device === undefined) return again(visit, shownUserCode(code), visit.t('consent.deviceNone'));
  giveBack();
  const { entry, client } = device;
  return comparePage(visit, {
    client,
    code: shownUserCode(code),
    ...decisionForm(dependencies, visit, entry.id, user.id),
  });
}

/** The device with its client, where somebody may answer. To be called inside a snapshot. */
function waiting(store: Store, entry: DeviceEntry | undefined, now: number) {
  const client = entry && clientRecords.get(store, entry.document.clientId);
  return entry && client?.document.isActive && isWaiting(entry, now) ? { entry, client } : undefined;
}

/** Shown once the codes are the same: what the device wants. */
function asked(
  dependencies: AuthorizationDependencies,
  visit: Visit,
  { user }: SignedIn,
  id: DeviceEntry['id'],
): Reply<never> {
  const { organization, t } = visit;
  const { engine, clock } = dependencies;
  const { store } = organization;
  const device = engine.read(() => {
    const found = waiting(store, deviceRecords.get(store, id), clock.now());
    return found && { client: found.client, scopes: describedScopes(t, store, found.entry.document.scopes) };
  });
  if (device === undefined) return again(visit, '', t('consent.deviceGone'));
  return allowPage(visit, {
    ...device,
    account: user.document.email,
    ...decisionForm(dependencies, visit, id, user.id),
  });
}

function decisionForm(dependencies: AuthorizationDependencies, visit: Visit, device: string, userId: string) {
  const hidden = { device, account: userId, ticket: ticketOf(dependencies, visit, device, userId) };
  return { action: `${visit.base}/device/decision`, csrf: visit.visitor.csrf, hidden };
}

/** Only who has seen the device's own page answers for it. */
function ticketOf(
  { sealer }: AuthorizationDependencies,
  { organization, visitor }: Visit,
  device: DeviceEntry['id'],
  userId: string,
): string {
  return sealer.mac('device decision', organization.id, visitor.browser, userId, device);
}
