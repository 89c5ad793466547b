import { Problem } from './problem.ts';

/** Parts of paths whose things have another name than the part without its `s`. */
const nouns: Readonly<Record<string, string>> = {
  'api-keys': 'API key',
  assets: 'file',
  'audit-logs': 'audit entry',
  deliveries: 'delivery',
  identities: 'linked identity',
  orgs: 'organization',
  policies: 'policy',
  register: 'client',
  social: 'sign-in provider',
  'social-providers': 'sign-in provider',
  status: 'request',
  t: 'organization',
};

const SHOWN_MAX = 100;

/**
 * Says what was not there, where a 404 says no more than its title: `There is no role editor of the user anne.` It does
 * not tell which of several is missing, as a caller may not know of the others.
 * @param path of the endpoint, with its parameters in braces
 */
export function withAbsence(failure: Problem, path: string, params: Readonly<Record<string, string>>): Problem {
  const { kind, detail, options } = failure;
  return kind.status === 404 && detail === kind.title ? new Problem(kind, absence(path, params), options) : failure;
}

function absence(path: string, params: Readonly<Record<string, string>>): string {
  const segments = path.split('/');
  const named = segments.flatMap((segment, index) => {
    const value = params[segment.slice(1, -1)];
    return segment.startsWith('{') && value !== undefined ? [`${nounOf(segments[index - 1])} ${shown(value)}`] : [];
  });
  // the organization goes without saying where something is looked for in it
  const [item, ...within] = (named.length > 1 && /^\/(?:t|orgs)\//.test(path) ? named.slice(1) : named).reverse();
  if (item === undefined) return 'There is nothing here.';
  return `There is no ${[item, ...within.map((each) => `the ${each}`)].join(' of ')}.`;
}

function nounOf(plural = 'thing'): string {
  return nouns[plural] ?? plural.replace(/s$/, '').replaceAll(/[-_]/g, ' ');
}

/** Of what a caller has sent, bounded. */
export function shown(text: string): string {
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}
