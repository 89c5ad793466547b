import { z } from 'zod';
import { readSettings } from '../../../directory/settings/index.ts';
import { type PersonalTexts, passwordStrength } from '../../../directory/users/index.ts';
import { bytes, type Endpoint, ProblemError, problem } from '../../../http/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { SealError, type Sealer } from '../../../platform/index.ts';
import type { PlainKey } from '../../../texts/index.ts';
import { asset } from '../../pages/index.ts';
import type { Visitor } from '../browser/visitor.ts';
import { type VisitorVisit, visitorEndpoint } from '../browser/visitor-endpoint.ts';
import type { SignInDependencies } from '../dependencies.ts';
import { passwordText } from '../pages-dependencies.ts';

/** What a page of a new password loads. */
export const strengthScript = asset('strength.js');

const path = '/signin/password-strength';
const SEALED_MAX = 8192;

/** What a field of a new password asks with. */
export interface StrengthCheck {
  readonly address: string;
  readonly csrf: string;
  /** Sealed: whoever has the page does not learn from it whose password it is. */
  readonly about: string;
}

type Where = Pick<VisitorVisit<unknown, unknown>, 'organization' | 'visitor' | 'base'>;

/** @param about whose password it is to be: what is known of them is easy to guess */
export function strengthCheck(
  sealer: Sealer,
  { organization, visitor, base }: Where,
  about: PersonalTexts,
): StrengthCheck {
  const { email, username, name, givenName, familyName } = about;
  const address = `${base}${path}`;
  return {
    address,
    csrf: visitor.csrf(address),
    about: sealer.seal(
      JSON.stringify({ email, username, name, givenName, familyName }),
      bindingOf(organization, visitor),
    ),
  };
}

const text = z.string().nullish();
const personal = z.object({ email: z.string(), username: text, name: text, givenName: text, familyName: text });

/** By the score that it has. */
const levels: Readonly<Record<number, readonly [level: number, says: PlainKey]>> = {
  2: [2, 'passwords.fair'],
  3: [3, 'passwords.good'],
  4: [4, 'passwords.strong'],
};
const weak = [1, 'passwords.weak'] as const;

/**
 * `{issuer}/signin/password-strength`: how good a new password is while it is typed, by the same rules by which it is
 * taken or refused. It looks at nothing but what it is sent.
 */
export function strengthEndpoint(dependencies: SignInDependencies): Endpoint {
  return visitorEndpoint(dependencies, {
    method: 'POST',
    path: `/orgs/{orgId}${path}`,
    summary: 'How good a new password is, while it is typed',
    rate: 'expensive',
    body: z.object({
      password: passwordText,
      about: z.string().max(SEALED_MAX),
      name: z.string().max(200).default(''),
    }),
    async handler({ organization, visitor, body, t }) {
      const { passwordPolicy } = dependencies.engine.read(() => readSettings(organization.store));
      const about = opened(dependencies.sealer, organization, visitor, body.about);
      const known = body.name.trim() === '' ? about : { ...about, name: body.name.trim() };
      const { faults, score } = await passwordStrength(body.password, passwordPolicy, known);
      const [level, says] = levels[score] ?? weak;
      const answer =
        faults.length === 0
          ? { level, text: t(says) }
          : { level: 1, text: faults.map((each) => t.said(each)).join(' ') };
      return bytes(200, 'application/json', JSON.stringify(answer));
    },
  });
}

/** @throws ProblemError 400 for what no page of this browser was given */
function opened(sealer: Sealer, organization: Organization, visitor: Visitor, sealed: string): PersonalTexts {
  try {
    return personal.parse(JSON.parse(sealer.open(sealed, bindingOf(organization, visitor))));
  } catch (error) {
    if (error instanceof SealError) throw new ProblemError(problem('invalid_request', 'about: is not from this page.'));
    throw error;
  }
}

function bindingOf({ id }: Organization, { browser }: Visitor) {
  return { organization: id, record: browser, field: 'password strength' };
}
