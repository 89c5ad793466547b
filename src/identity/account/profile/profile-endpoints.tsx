import { z } from 'zod';
import type { UserRecord } from '../../../directory/records/index.ts';
import {
  changeOwnProfile,
  type OwnField,
  type OwnProfile,
  ownFields,
  ownProfileShape,
} from '../../../directory/users/index.ts';
import { type Endpoint, type Reply, redirect } from '../../../http/index.ts';
import { Button, Field, type FormFault } from '../../pages/index.ts';
import type { AccountDependencies } from '../dependencies.ts';
import { type AccountVisit, accountEndpoint } from '../frame/account-endpoint.ts';
import { AccountForm } from '../frame/account-form.tsx';
import { accountPage } from '../frame/account-page.tsx';
import { faultsOf, parseForm } from '../frame/faults.ts';
import { ZoneField } from './zone-field.tsx';

const path = '/orgs/{orgId}/account/profile';
const TEXT_MAX = 4096;

interface ProfileField {
  readonly label: string;
  readonly autocomplete: string;
  readonly type?: 'text' | 'url' | 'tel';
  readonly hint?: string;
  readonly maxLength: number;
}

const shown: Readonly<Record<OwnField, ProfileField>> = {
  name: { label: 'Display name', autocomplete: 'name', maxLength: 200 },
  givenName: { label: 'Given name', autocomplete: 'given-name', maxLength: 200 },
  familyName: { label: 'Family name', autocomplete: 'family-name', maxLength: 200 },
  picture: { label: 'Picture', autocomplete: 'photo', type: 'url', hint: 'The address of an image', maxLength: 2048 },
  phoneNumber: {
    label: 'Telephone',
    autocomplete: 'tel',
    type: 'tel',
    hint: 'Such as +41 44 668 18 00',
    maxLength: 32,
  },
  locale: { label: 'Language', autocomplete: 'language', hint: 'A language tag, such as en or de-CH', maxLength: 64 },
  zoneinfo: { label: 'Time zone', autocomplete: 'off', maxLength: 64 },
};

const names = Object.keys(shown) as OwnField[];
const labels = Object.fromEntries(names.map((name) => [name, shown[name].label]));
const texts = z.object(Object.fromEntries(names.map((name) => [name, z.string().max(TEXT_MAX).optional()])));
const profile = z.object(ownProfileShape) as z.ZodType<OwnProfile>;

type Texts = Readonly<Record<string, string | undefined>>;

export function profileEndpoints(dependencies: AccountDependencies): Endpoint[] {
  return [
    accountEndpoint(dependencies, {
      method: 'GET',
      path,
      summary: 'The profile',
      query: z.object({ done: z.string().max(32).optional() }),
      handler: (visit) => profilePage(dependencies, visit, textsOf(visit.user.document), { done: visit.query.done }),
    }),
    accountEndpoint(dependencies, {
      method: 'POST',
      path,
      summary: 'Changes the profile',
      body: texts,
      async handler(visit) {
        const parsed = parseForm(profile, cleared(visit.body), labels);
        if ('faults' in parsed) return profilePage(dependencies, visit, visit.body, { faults: parsed.faults });
        try {
          await changeOwnProfile(dependencies, visit.organization, visit.facts, visit.user.id, parsed.values);
          return redirect(303, `${visit.base}/account/profile?done=profile`);
        } catch (error) {
          return profilePage(dependencies, visit, visit.body, { faults: faultsOf(error, names) });
        }
      },
    }),
  ];
}

/** An empty field takes away what stood there; one that was not sent leaves it. */
function cleared(body: Texts): Record<string, string | null> {
  const given = Object.entries(body).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(given.map(([name, text]) => [name, text.trim() === '' ? null : text.trim()]));
}

function textsOf(document: UserRecord): Texts {
  return Object.fromEntries(names.map((name) => [name, document[name]]));
}

interface Outcome {
  readonly done?: string | undefined;
  readonly faults?: readonly FormFault[];
}

function profilePage(
  dependencies: AccountDependencies,
  visit: AccountVisit,
  values: Texts,
  { done, faults = [] }: Outcome,
): Reply<never> {
  const { organization } = visit;
  const own = dependencies.engine.read(() => ownFields(organization.store));
  return accountPage(
    visit,
    { room: '/account/profile', title: 'Profile', done, faults },
    <>
      <AccountForm visit={visit} path="/account/profile" id="profile">
        {names.map((name) =>
          own.includes(name) ? <Own key={name} name={name} value={values[name]} faults={faults} /> : null,
        )}
        {own.length === 0 ? null : <Button>Save</Button>}
      </AccountForm>
      <Given names={names.filter((name) => !own.includes(name))} user={visit.user.document} />
    </>,
  );
}

interface OwnProps {
  readonly name: OwnField;
  readonly value: string | undefined;
  readonly faults: readonly FormFault[];
}

function Own({ name, value, faults }: OwnProps) {
  if (name === 'zoneinfo') return <ZoneField name={name} label={shown[name].label} value={value} faults={faults} />;
  return <Field name={name} value={value ?? ''} faults={faults} isRequired={false} {...shown[name]} />;
}

/** What an administrator has said, and what rules depend on. */
function Given({ names: given, user }: { readonly names: readonly OwnField[]; readonly user: UserRecord }) {
  const lines = given.filter((name) => user[name] !== undefined);
  if (lines.length === 0) return null;
  return (
    <>
      <h2>Set by your organization</h2>
      <dl>
        {lines.map((name) => (
          <div key={name}>
            <dt>{shown[name].label}</dt>
            <dd>{user[name]}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
