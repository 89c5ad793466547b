export { type AuthenticationClass, authenticationClasses, classOf, methodsOf } from './authentication-class.ts';
export { idToken } from './id-token.ts';
export { type IdTokenHint, verifyIdTokenHint } from './id-token-hint.ts';
