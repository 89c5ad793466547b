export { oauthError, oauthProblem, oauthProblems } from './oauth-error.ts';
export { renderOAuth } from './render-oauth.ts';
