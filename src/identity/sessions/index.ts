export { tokensOf } from './lists/tokens-of.ts';
export { sessionsModule } from './module.ts';
export { type OpenIdFacts, openIdFactsSchema } from './records/open-id-facts.ts';
export {
  endNoticeIds,
  endNoticeRecords,
  participationIds,
  participationRecords,
  participationsIn,
  takePart,
} from './records/participation.ts';
export {
  authMethodSchema,
  type Location,
  liveSession,
  recentSessions,
  type SessionEntry,
  sessionAsRead,
} from './records/session-record.ts';
export { revokedTokens } from './records/token-events.ts';
export {
  type ActorChain,
  isLiveToken,
  liveAsRead,
  liveToken,
  liveUntil,
  type TokenEntry,
  tokenRecords,
} from './records/token-record.ts';
export { browserStateCookie, browserStateName } from './service/browser-state.ts';
export { deviceOf, shortBrowser } from './service/device.ts';
export {
  type EarlierEnded,
  endEarlierOf,
  endOtherSessions,
  endOthersOf,
  endOwnSession,
  ownSessions,
} from './service/own-sessions.ts';
export { type BegunSession, ending, Sessions } from './service/sessions.ts';
export { succession } from './service/succession.ts';
export { type BegunToken, revocation, revokeToken, sessionBasis, type TokenGrant, Tokens } from './service/tokens.ts';
