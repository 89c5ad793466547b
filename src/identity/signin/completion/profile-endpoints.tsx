import { z } from 'zod';
import { getUser } from '../../../directory/records/index.ts';
import { changeOwnProfile } from '../../../directory/users/index.ts';
import type { Endpoint } from '../../../http/index.ts';
import { Button, ErrorSummary, Field, Form, type FormFault, renderPage } from '../../pages/index.ts';
import { formPage, type VisitorVisit } from '../browser/visitor-endpoint.ts';
import type { FlowEntry } from '../flow-record.ts';
import {
  faultsOf,
  flowId,
  flowQuery,
  requireDue,
  requireFlow,
  type SignInPageDependencies,
} from '../pages-dependencies.ts';
import { type AskedField, missingFields } from '../steps.ts';

const text = z.string().max(200).default('');
const form = z.object({
  flow: flowId,
  givenName: text,
  familyName: text,
  way: z.enum(['save', 'skip']).default('save'),
});
const path = '/signin/profile';

const fields = {
  givenName: { label: 'signUp.givenName', empty: 'signUp.enterGivenName', autocomplete: 'given-name' },
  familyName: { label: 'signUp.familyName', empty: 'signUp.enterFamilyName', autocomplete: 'family-name' },
} as const satisfies Readonly<Record<AskedField, object>>;

/** `{issuer}/signin/profile`: asks for what is missing in a profile, which can wait. */
export function profileEndpoints(pages: SignInPageDependencies): Endpoint[] {
  return formPage(pages, path, {
    show: {
      summary: 'Complete a profile',
      query: flowQuery,
      handler: (visit) => askPage(pages, visit, requireFlow(pages, visit, visit.query.flow), {}, []),
    },
    send: {
      summary: 'Save what was missing in a profile',
      body: form,
      handler: (visit) => save(pages, visit, requireFlow(pages, visit, visit.body.flow), visit.body),
    },
  });
}

type Given = Partial<Record<AskedField, string>>;

function missing(pages: SignInPageDependencies, visit: VisitorVisit, flow: FlowEntry) {
  const { store } = visit.organization;
  return pages.engine.read(() => {
    const { userId } = requireDue(pages, visit, flow, path);
    const user = getUser(store, userId);
    return { userId, names: user === undefined ? [] : missingFields(store, user.document) };
  });
}

function askPage(
  pages: SignInPageDependencies,
  visit: VisitorVisit,
  flow: FlowEntry,
  given: Given,
  faults: readonly FormFault[],
) {
  const { names } = missing(pages, visit, flow);
  const { base, visitor, t } = visit;
  return renderPage(
    visit,
    {
      title: t('signUp.profileTitle'),
      status: faults.length === 0 ? 200 : 422,
      leadsTo: [flow.document.leadsTo],
    },
    <>
      <h1>{t('signUp.profileTitle')}</h1>
      <p>{t('signUp.profileText')}</p>
      <ErrorSummary faults={faults} />
      <Form action={`${base}${path}`} csrf={visitor.csrf} hidden={{ flow: flow.id }}>
        {names.map((name, index) => (
          <Field
            key={name}
            name={name}
            label={t(fields[name].label)}
            autocomplete={fields[name].autocomplete}
            value={given[name] ?? ''}
            faults={faults}
            isFirst={index === 0}
          />
        ))}
        <Button name="way" value="save">
          {t('signIn.continue')}
        </Button>
        <Button name="way" value="skip" kind="other" skipsChecks>
          {t('signUp.notNow')}
        </Button>
      </Form>
    </>,
  );
}

async function save(pages: SignInPageDependencies, visit: VisitorVisit, flow: FlowEntry, body: z.output<typeof form>) {
  const { organization, facts } = visit;
  const { userId, names } = missing(pages, visit, flow);
  if (body.way === 'skip') return pages.signIn.skipped(visit, flow, 'profile');
  const given: Given = Object.fromEntries(names.map((name) => [name, body[name].replace(/\p{Cc}+/gu, ' ').trim()]));
  const empty = names.filter((name) => given[name] === '');
  if (empty.length > 0) {
    const faults = empty.map((field) => ({ field, message: visit.t(fields[field].empty) }));
    return askPage(pages, visit, flow, given, faults);
  }
  try {
    await changeOwnProfile(pages, organization, facts, userId, given);
  } catch (error) {
    return askPage(pages, visit, flow, given, faultsOf(visit.t, error, names));
  }
  return pages.signIn.resume(visit, flow);
}
