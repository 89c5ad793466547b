import type { AccountDependencies } from '../../identity/account/index.ts';
import { type Job, type Module, steppedJob } from '../../kernel/modules/index.ts';
import type { WalkDependencies } from '../../kernel/organizations/index.ts';
import { applicationPages } from './applications/application-pages.tsx';
import { authorizeEndpoints, socialSignInEndpoint } from './authorize/authorize-endpoints.ts';
import { requestRecords } from './authorize/request/request-record.ts';
import { checkSessionEndpoint } from './check-session/check-session-endpoint.ts';
import { sweepDocuments } from './clients/index.ts';
import { codeRecords } from './codes/code-record.ts';
import { consentEndpoints } from './consent/consent-endpoints.ts';
import { consentGranted, consentRecords, consentRevoked } from './consent/consents.ts';
import { deviceAuthorizationEndpoint } from './device/device-authorization-endpoint.ts';
import { devicePages } from './device/device-page-endpoints.ts';
import { deviceRecords } from './device/device-record.ts';
import { spentProofRecords } from './dpop/index.ts';
import { tokenEndpoints } from './grants/token-endpoint.ts';
import { sweepProtocol } from './lifecycle/sweep-protocol.ts';
import { introspectionEndpoint, revocationEndpoint } from './lifecycle/token-state-endpoints.ts';
import { deliveryRecords } from './logout/delivery-record.ts';
import { endSessionEndpoints, signOutPages } from './logout/end-session-endpoints.ts';
import { LogoutNotifier, type LogoutNotifierDependencies } from './logout/logout-notifier.ts';
import { jwksEndpoint, metadataEndpoints } from './metadata/metadata-endpoints.ts';
import { parEndpoint } from './par/par-endpoint.ts';
import type { AuthorizationDependencies } from './protocol/dependencies.ts';
import { type KeySweepDependencies, rotateSigningKeys, SigningKeys, signingKeyRecords } from './signing/index.ts';
import { tokenIssued } from './tokens/token-issued.ts';
import { userinfoEndpoints } from './userinfo/userinfo-endpoints.ts';

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
  // public, because clients prove who they are by the protocol's own means, and users by their sessions
  endpoints: ({ oauth }) => [
    ...metadataEndpoints(oauth),
    jwksEndpoint(oauth),
    ...tokenEndpoints(oauth),
    deviceAuthorizationEndpoint(oauth),
    introspectionEndpoint(oauth),
    revocationEndpoint(oauth),
    checkSessionEndpoint(oauth),
    ...authorizeEndpoints(oauth),
    parEndpoint(oauth),
    socialSignInEndpoint(oauth),
    ...userinfoEndpoints(oauth),
    ...endSessionEndpoints(oauth.visits),
  ],
  pages: ({ oauth, account }) => [
    ...signOutPages(oauth.visits),
    ...applicationPages(account),
    ...consentEndpoints(oauth),
    ...devicePages(oauth),
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
