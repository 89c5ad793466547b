/**
 * A node of a cluster that hears nothing of the log does not know what was revoked. Access tokens and sessions are refused
 * after a short time, keys of programs after a longer one. @throws ProblemError 503
 */
export type RequireHeard = (kind: 'token' | 'key') => void;
