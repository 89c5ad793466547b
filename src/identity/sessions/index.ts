import { epochRecords, settlingRecords } from '../../directory/epochs/index.ts';
import { endNoticeRecords, participationRecords } from './records/participation.ts';
import { sessionRecords } from './records/session-record.ts';
import { tokenRecords } from './records/token-record.ts';

export type { SessionEndpointParts } from './endpoints/parts.ts';
export { sessionEndpoints } from './endpoints/session-endpoints.ts';
export { tokenEndpoints } from './endpoints/token-endpoints.ts';
export { userSessionEndpoints } from './endpoints/user-session-endpoints.ts';
export { sessionWork } from './lists/session-work.ts';
export { tokensOf, tokensOfUser } from './lists/tokens-of.ts';
export { type OpenIdFacts, openIdFactsSchema } from './records/open-id-facts.ts';
export {
  endNoticeIds,
  endNoticeRecords,
  participationIds,
  participationRecords,
  participationsIn,
  takePart,
} from './records/participation.ts';
export { type AuthMethod, authMethodSchema, liveSession, type SessionEntry } from './records/session-record.ts';
export {
  type ActorChain,
  isLiveToken,
  liveToken,
  liveUntil,
  type TokenEntry,
  tokenRecords,
} from './records/token-record.ts';
export { browserStateCookie, browserStateName } from './service/browser-state.ts';
export { endOthersOf } from './service/end-others.ts';
export { endOtherSessions, endOwnSession, ownSessions } from './service/own-sessions.ts';
export { type BegunSession, ending, Sessions } from './service/sessions.ts';
export { succession } from './service/succession.ts';
export { sweepSessions } from './service/sweep.ts';
export { type BegunToken, revocation, sessionBasis, type TokenGrant, Tokens } from './service/tokens.ts';
export { UseNotes } from './service/use-notes.ts';

/** What this room keeps. */
export const sessionsRecords = [
  sessionRecords,
  tokenRecords,
  epochRecords,
  settlingRecords,
  participationRecords,
  endNoticeRecords,
];
