import { UpstreamError } from '../upstreams/upstream.ts';
import type { Expected } from './response.ts';
import { childrenOf, namespaces, onlyChild, parseXml, textOf, timeOf } from './xml.ts';

/** What clocks may differ by. */
export const SKEW_MS = 2 * 60 * 1000;
/** However long it says that it is good: an answer comes at once. */
const AGE_MAX_MS = 10 * 60 * 1000;

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
const EMAIL = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

/** What an assertion says, all of it signed. */
export interface AssertionFacts {
  readonly id: string;
  readonly issuer: string;
  readonly nameId: string;
  readonly isEmail: boolean;
  readonly attributes: ReadonlyMap<string, string>;
  /** From then on it is refused by its age. */
  readonly until: number;
}

export interface AssertionExpected extends Expected {
  /** Our name at the identity provider. */
  readonly audience: string;
  /** Where it is known. */
  readonly issuer: string | undefined;
  readonly now: number;
  /** Where a fresh sign-in was asked for. */
  readonly freshSince: number | undefined;
}

/**
 * Reads an assertion out of the text that its signature covers (SAML 2.0 Profiles, 4.1.4.2 and 4.1.4.3).
 * @throws UpstreamError
 */
export function readAssertion(signed: string, expected: AssertionExpected): AssertionFacts {
  const { now } = expected;
  const assertion = parseXml(signed).documentElement;
  const issuer = textOf(onlyChild(assertion, namespaces.assertion, 'Issuer'));
  if (issuer === '' || (expected.issuer !== undefined && issuer !== expected.issuer)) throw rejected('another issuer');
  const id = assertion.getAttribute('ID') ?? '';
  if (id === '' || id.length > 256) throw rejected('no id');
  const issued = timeOf(assertion, 'IssueInstant');
  if (issued === undefined || issued > now + SKEW_MS || issued < now - AGE_MAX_MS) throw rejected('not of now');
  const subject = onlyChild(assertion, namespaces.assertion, 'Subject');
  requireConfirmation(subject, expected);
  requireConditions(onlyChild(assertion, namespaces.assertion, 'Conditions'), expected);
  requireStatement(assertion, expected);
  const nameId = onlyChild(subject, namespaces.assertion, 'NameID');
  const format = nameId.getAttribute('Format') ?? '';
  if (format === TRANSIENT) {
    throw new UpstreamError('misconfigured', 'the name is transient: nobody could be known again by it');
  }
  return {
    id,
    issuer,
    nameId: textOf(nameId),
    isEmail: format === EMAIL,
    attributes: attributesOf(assertion),
    until: issued + AGE_MAX_MS + SKEW_MS,
  };
}

function requireConfirmation(subject: Element, { requestId, callbackUrl, now }: AssertionExpected): void {
  const isGood = childrenOf(subject, namespaces.assertion, 'SubjectConfirmation').some((confirmation) => {
    if (confirmation.getAttribute('Method') !== BEARER) return false;
    const [data] = childrenOf(confirmation, namespaces.assertion, 'SubjectConfirmationData');
    if (data === undefined) return false;
    const [from, until] = [timeOf(data, 'NotBefore'), timeOf(data, 'NotOnOrAfter')];
    return (
      data.getAttribute('Recipient') === callbackUrl &&
      data.getAttribute('InResponseTo') === requestId &&
      until !== undefined &&
      isWithin(now, from, until)
    );
  });
  if (!isGood) throw rejected('nothing confirms that it was made for this request, this address and now');
}

function requireConditions(conditions: Element, { audience, now }: AssertionExpected): void {
  if (!isWithin(now, timeOf(conditions, 'NotBefore'), timeOf(conditions, 'NotOnOrAfter'))) {
    throw rejected('its time is over, or has not come');
  }
  const restrictions = childrenOf(conditions, namespaces.assertion, 'AudienceRestriction');
  // each restriction must admit us
  const admits = (restriction: Element): boolean =>
    childrenOf(restriction, namespaces.assertion, 'Audience').some((each) => textOf(each) === audience);
  if (restrictions.length === 0 || !restrictions.every(admits)) throw rejected('it is for another audience');
}

function requireStatement(assertion: Element, { now, freshSince }: AssertionExpected): void {
  const [statement] = childrenOf(assertion, namespaces.assertion, 'AuthnStatement');
  if (statement === undefined) throw rejected('it does not say that anybody signed in');
  const until = timeOf(statement, 'SessionNotOnOrAfter');
  if (until !== undefined && now - SKEW_MS >= until) throw rejected('the session there is over');
  const at = timeOf(statement, 'AuthnInstant');
  if (freshSince !== undefined && (at === undefined || at < freshSince - SKEW_MS)) {
    throw rejected('the sign-in there is an old one');
  }
}

function isWithin(now: number, from: number | undefined, until: number | undefined): boolean {
  return (from === undefined || now + SKEW_MS >= from) && (until === undefined || now - SKEW_MS < until);
}

/** The first value of each, by its name. */
function attributesOf(assertion: Element): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const statement of childrenOf(assertion, namespaces.assertion, 'AttributeStatement')) {
    for (const attribute of childrenOf(statement, namespaces.assertion, 'Attribute')) {
      const [value] = childrenOf(attribute, namespaces.assertion, 'AttributeValue');
      const name = attribute.getAttribute('Name') ?? '';
      if (value !== undefined && !found.has(name)) found.set(name, textOf(value));
    }
  }
  return found;
}

function rejected(reason: string): UpstreamError {
  return new UpstreamError('rejected', `SAML assertion: ${reason}`);
}
