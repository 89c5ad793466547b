import { parseJson } from '../../../../http/index.ts';
import { type RequestedClaims, scopeOfClaim } from '../../claims/index.ts';
import { oauthError } from '../../errors/index.ts';
import type { Check } from './checks.ts';

const BYTES_MAX = 4096;
const DEPTH_MAX = 6;
const VALUES_MAX = 10;
const VALUE_MAX = 256;

/**
 * `claims` (OpenID Connect Core, 5.5). A claim that the client may not ask for by its scope is not given, and one that is
 * not known is ignored. Of values, those of `sub` and `acr` decide who signs in and how.
 */
export const checkClaims: Check = ({ parameters, client }) => {
  const said = parameters.one('claims');
  if (said === undefined) return {};
  const asked = objectOf(said);
  const mayHave = (name: string): boolean => client.document.scopes.includes(scopeOfClaim(name) ?? '');
  const userinfo = member(asked, 'userinfo');
  const idToken = member(asked, 'id_token');
  const acr = valuesOf(idToken.acr);
  const sub = [...valuesOf(idToken.sub), ...valuesOf(userinfo.sub)];
  if (new Set(sub).size > 1) throw oauthError('invalid_request', 'claims names several users.');
  const claims: RequestedClaims = {
    userinfo: Object.keys(userinfo).filter(mayHave),
    idToken: Object.keys(idToken).filter(mayHave),
    ...(acr.length > 0 && isEssential(idToken.acr) ? { acr } : {}),
  };
  const [hintedUser] = sub;
  const wishes = acr.length > 0 ? { acrValues: acr } : {};
  return { claims, ...wishes, ...(hintedUser === undefined ? {} : { hintedUser }) };
};

type Members = Readonly<Record<string, unknown>>;

function objectOf(said: string): Members {
  const bytes = Buffer.from(said);
  const parsed = bytes.length > BYTES_MAX ? undefined : parseJson(bytes, { depth: DEPTH_MAX });
  const value = parsed?.ok ? parsed.value : undefined;
  if (isObject(value)) return value;
  throw oauthError('invalid_request', `claims must be a JSON object of at most ${BYTES_MAX} bytes.`);
}

function member(asked: Members, name: string): Members {
  const value = Object.hasOwn(asked, name) ? asked[name] : undefined;
  if (value === undefined || value === null) return {};
  if (isObject(value)) return value;
  throw oauthError('invalid_request', `claims: ${name} must be an object.`);
}

/** `{value}` or `{values}`; nothing where the claim is wanted as it is. */
function valuesOf(wish: unknown): string[] {
  if (!isObject(wish)) return [];
  const values = [wish.value, ...(Array.isArray(wish.values) ? wish.values : [])];
  const texts = values.filter((value): value is string => typeof value === 'string' && value.length <= VALUE_MAX);
  return [...new Set(texts)].slice(0, VALUES_MAX);
}

function isEssential(wish: unknown): boolean {
  return isObject(wish) && wish.essential === true;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
