export { authenticationClasses, classOf, methodsOf } from './authentication-class.ts';
export { type IdTokenOrder, type IdTokenParts, idToken } from './id-token.ts';
export { type IdTokenHint, verifyIdTokenHint } from './id-token-hint.ts';
