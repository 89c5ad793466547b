export { oauthError, oauthProblem, oauthProblems } from './oauth-error.ts';
export { protocolError, renderOAuth } from './render-oauth.ts';
