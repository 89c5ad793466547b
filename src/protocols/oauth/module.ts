import type { AccountParts } from '../../identity/account/index.ts';
import { type Job, type Module, steppedJob } from '../../kernel/modules/index.ts';
import type { WalkParts } from '../../kernel/organizations/index.ts';
import { applicationPages } from './applications/application-pages.tsx';
import { authorizationEndpoints, authorizationPages } from './authorization-endpoints.ts';
import type { AuthorizationParts } from './authorize/parts.ts';
import { requestRecords } from './authorize/request/request-record.ts';
import { codeRecords } from './codes/code-record.ts';
import { consentGranted, consentRevoked } from './consent/consent-events.ts';
import { consentRecords } from './consent/consent-record.ts';
import { deviceRecords } from './device/device-record.ts';
import { sweepProtocol } from './lifecycle/sweep-protocol.ts';
import { deliveryRecords } from './logout/delivery-record.ts';
import { signOutPages } from './logout/end-session-endpoints.ts';
import { LogoutNotifier, type LogoutNotifierParts } from './logout/logout-notifier.ts';
import { protocolEndpoints } from './protocol-endpoints.ts';
import { type KeySweepParts, rotateSigningKeys, SigningKeys, signingKeyRecords } from './signing/index.ts';
import { tokenIssued } from './tokens/token-issued.ts';

type NotifierServices = KeySweepParts & Omit<LogoutNotifierParts, 'keys'>;

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
  readonly oauth: AuthorizationParts;
  readonly account: AccountParts;
}

/** Each organization's provider: authorization, consent, tokens, logout. */
export const oauthModule: Module<OAuthServices, unknown, NotifierServices> = {
  name: 'oauth',
  records: [signingKeyRecords, requestRecords, consentRecords, codeRecords, deviceRecords, deliveryRecords],
  events: [tokenIssued, consentGranted, consentRevoked],
  endpoints: ({ oauth }) => [...protocolEndpoints(oauth), ...authorizationEndpoints(oauth)],
  pages: ({ oauth, account }) => [
    ...signOutPages(oauth.visits),
    ...applicationPages(account),
    ...authorizationPages(oauth),
  ],
  jobs: [
    steppedJob({ name: 'consents', runs: 'in the cluster' }, (services: WalkParts) => sweepProtocol(services)),
    steppedJob({ name: 'signing_keys', runs: 'in the cluster' }, (services: KeySweepParts) =>
      rotateSigningKeys(services),
    ),
    notices,
  ],
};
