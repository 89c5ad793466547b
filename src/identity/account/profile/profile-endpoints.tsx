import { z } from 'zod';
import { changeOwnProfile, type OwnField, type OwnProfile, ownProfileShape } from '../../../directory/users/index.ts';
import { type Endpoint, redirect } from '../../../http/index.ts';
import type { FormFault } from '../../pages/index.ts';
import type { AccountDependencies } from '../dependencies.ts';
import { accountEndpoint } from '../frame/account-endpoint.ts';
import { faultsOf, parseForm } from '../frame/faults.ts';
import { ownNames, type Texts, wanted } from './profile-fields.ts';
import { profileRoom } from './profile-room.tsx';

const path = '/orgs/{orgId}/account/profile';
const query = z.object({ done: z.string().max(32).optional() });
const TEXT_MAX = 4096;

const texts = z.object(Object.fromEntries(ownNames.map((name) => [name, z.string().max(TEXT_MAX).optional()])));
const profile = z.object(ownProfileShape) as z.ZodType<OwnProfile>;

/** The first page of the account, and what its forms are sent to. */
export function profileEndpoints(dependencies: AccountDependencies): Endpoint[] {
  return [
    accountEndpoint(dependencies, {
      method: 'GET',
      path: '/orgs/{orgId}/account',
      summary: 'The account',
      query,
      handler: (visit) => profileRoom(dependencies, visit, visit.query),
    }),
    accountEndpoint(dependencies, {
      method: 'GET',
      path,
      summary: 'The profile',
      query,
      handler: (visit) => profileRoom(dependencies, visit, visit.query),
    }),
    accountEndpoint(dependencies, {
      method: 'POST',
      path,
      summary: 'Changes the profile',
      body: texts,
      async handler(visit) {
        const { organization, facts, user, base, body, t } = visit;
        const refused = (faults: readonly FormFault[]) =>
          profileRoom(dependencies, visit, { open: openOf(body), typed: { ...user.document, ...body }, faults });
        const words = Object.fromEntries(ownNames.map((name) => [name, t(wanted[name])]));
        const parsed = parseForm(profile, cleared(body), words);
        if ('faults' in parsed) return refused(parsed.faults);
        try {
          await changeOwnProfile(dependencies, organization, facts, user.id, parsed.values);
          return redirect(303, `${base}/account/profile?done=profile`);
        } catch (error) {
          return refused(faultsOf(visit.t, error, ownNames));
        }
      },
    }),
  ];
}

/** One of the fields of the form that was sent. */
function openOf(body: Texts): OwnField | undefined {
  return ownNames.find((name) => body[name] !== undefined);
}

/** An empty field takes away what stood there; one that was not sent leaves it. */
function cleared(body: Texts): Record<string, string | null> {
  const given = Object.entries(body).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(given.map(([name, text]) => [name, text.trim() === '' ? null : text.trim()]));
}
