import type { AccountDependencies } from '../../identity/account/index.ts';
import { type Job, type Module, steppedJob } from '../../kernel/modules/index.ts';
import type { WalkDependencies } from '../../kernel/organizations/index.ts';
import { applicationPages } from './applications/application-pages.tsx';
import { authorizationEndpoints, authorizationPages } from './authorization-endpoints.ts';
import type { AuthorizationDependencies } from './authorize/dependencies.ts';
import { requestRecords } from './authorize/request/request-record.ts';
import { sweepDocuments } from './clients/index.ts';
import { codeRecords } from './codes/code-record.ts';
import { consentGranted, consentRevoked } from './consent/consent-events.ts';
import { consentRecords } from './consent/consent-record.ts';
import { deviceRecords } from './device/device-record.ts';
import { spentProofRecords } from './dpop/index.ts';
import { sweepProtocol } from './lifecycle/sweep-protocol.ts';
import { deliveryRecords } from './logout/delivery-record.ts';
import { signOutPages } from './logout/end-session-endpoints.ts';
import { LogoutNotifier, type LogoutNotifierDependencies } from './logout/logout-notifier.ts';
import { protocolEndpoints } from './protocol-endpoints.ts';
import { type KeySweepDependencies, rotateSigningKeys, SigningKeys, signingKeyRecords } from './signing/index.ts';
import { tokenIssued } from './tokens/token-issued.ts';

type NotifierServices = KeySweepDependencies & Omit<LogoutNotifierDependencies, 'keys'>;

const notices: Job<NotifierServices> = {
  name: 'logout_notices',
  runs: 'in the cluster',
  start(services) {
    const notifier = new LogoutNotifier({ ...services, keys: new SigningKeys(services) });
    notifier.start();
    return notifier;
  },
};

interface OAuthServices {
  readonly oauth: AuthorizationDependencies;
  readonly account: AccountDependencies;
}

/** Each organization's provider: authorization, consent, tokens, logout. */
export const oauthModule: Module<OAuthServices, unknown, NotifierServices> = {
  name: 'oauth',
  records: [
    signingKeyRecords,
    requestRecords,
    consentRecords,
    codeRecords,
    deviceRecords,
    spentProofRecords,
    deliveryRecords,
  ],
  events: [tokenIssued, consentGranted, consentRevoked],
  endpoints: ({ oauth }) => [...protocolEndpoints(oauth), ...authorizationEndpoints(oauth)],
  pages: ({ oauth, account }) => [
    ...signOutPages(oauth.visits),
    ...applicationPages(account),
    ...authorizationPages(oauth),
  ],
  jobs: [
    steppedJob({ name: 'consents', runs: 'in the cluster' }, (services: WalkDependencies) => sweepProtocol(services)),
    steppedJob({ name: 'client_documents', runs: 'in the cluster' }, (services: WalkDependencies) =>
      sweepDocuments(services),
    ),
    steppedJob({ name: 'signing_keys', runs: 'in the cluster' }, (services: KeySweepDependencies) =>
      rotateSigningKeys(services),
    ),
    notices,
  ],
};
