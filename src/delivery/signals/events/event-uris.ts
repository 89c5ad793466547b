const caep = 'https://schemas.openid.net/secevent/caep/event-type';
const risc = 'https://schemas.openid.net/secevent/risc/event-type';

/** The types of events of streams: CAEP 1.0 and RISC 1.0. */
export const eventUris = {
  sessionRevoked: `${caep}/session-revoked`,
  credentialChange: `${caep}/credential-change`,
  accountDisabled: `${risc}/account-disabled`,
  accountEnabled: `${risc}/account-enabled`,
  accountPurged: `${risc}/account-purged`,
} as const;

export const eventsSupported: readonly string[] = Object.values(eventUris);

/** Of a stream itself (SSF 1.0, 8.1.4): it is sent whatever the receiver has asked for. */
export const verificationUri = 'https://schemas.openid.net/secevent/ssf/event-type/verification';

/** The same of its status (SSF 1.0, 8.1.5), where nobody at the receiver has changed it. */
export const streamUpdatedUri = 'https://schemas.openid.net/secevent/ssf/event-type/stream-updated';

/** What a stream delivers: of what was asked for, what there is. */
export function eventsDelivered(requested: readonly string[] | undefined): readonly string[] {
  return requested === undefined ? eventsSupported : eventsSupported.filter((uri) => requested.includes(uri));
}
