import type { ComponentChildren } from 'preact';
import type { Reply } from '../../../http/index.ts';
import { Button, ErrorSummary, Form, type FormFault, Notice, type PageOptions, renderPage } from '../../pages/index.ts';
import type { AccountVisit } from './account-endpoint.ts';

/** The rooms of the account, in the order in which they stand. */
const rooms = [
  { path: '/account', label: 'Overview' },
  { path: '/account/profile', label: 'Profile' },
  { path: '/account/email', label: 'E-mail address' },
  { path: '/account/password', label: 'Password' },
  { path: '/account/factors', label: 'Second factors and passkeys' },
  { path: '/account/sessions', label: 'Devices' },
  { path: '/account/applications', label: 'Connected applications' },
  { path: '/account/identities', label: 'Linked accounts' },
  { path: '/account/agents', label: 'Agents' },
  { path: '/account/approvals', label: 'Requests' },
] as const;

export type RoomPath = (typeof rooms)[number]['path'];

/** What was done by the form that has led here. */
const done = {
  profile: 'Your profile is saved.',
  'email-asked': 'A mail is on its way. Follow the link in it to confirm the address.',
  'email-again': 'You are signed in. Now follow the link in the mail once more.',
  email: 'Your e-mail address is changed.',
  password: 'Your password is changed. You are signed out everywhere else.',
  session: 'The device is signed out.',
  sessions: 'You are signed out everywhere else.',
  application: 'The application has no access any more.',
  factor: 'It is added.',
  'factor-renamed': 'The name is saved.',
  'factor-removed': 'It is removed.',
  identity: 'The account is linked.',
  'identity-removed': 'The account is no longer linked.',
  delegation: 'The agent can act for you. Give its operator the id of the delegation, which is shown below.',
  'delegation-withdrawn': 'The agent can no longer act for you.',
  elevation: 'Ended. The agent can no longer use these permissions.',
  other: 'This account was signed in to meanwhile. Nothing was changed.',
} as const;

export type Done = keyof typeof done;

export function isDone(text: string | undefined): text is Done {
  return text !== undefined && Object.hasOwn(done, text);
}

interface AccountPage extends Pick<PageOptions, 'status' | 'scripts' | 'pictures' | 'leadsTo' | 'headers'> {
  readonly room: RoomPath;
  readonly title: string;
  readonly done?: string | undefined;
  readonly faults?: readonly FormFault[] | undefined;
}

function countOf(visit: AccountVisit): string {
  const { count, hasMore } = visit.waiting();
  return count === 0 ? '' : ` (${count}${hasMore ? '+' : ''})`;
}

/** A page of the account with the way to the others. Faults are answered with 422. */
export function accountPage(
  visit: AccountVisit,
  { room, title, done: said, faults = [], status, ...options }: AccountPage,
  body: ComponentChildren,
): Reply<never> {
  const { base, visitor, user } = visit;
  return renderPage(
    visit,
    { ...options, title, isWide: true, status: status ?? (faults.length > 0 ? 422 : 200) },
    <>
      <nav aria-label="Account">
        <ul class="rooms">
          {rooms.map(({ path, label }) => (
            <li key={path}>
              <a href={`${base}${path}`} {...(path === room ? { 'aria-current': 'page' as const } : {})}>
                {label}
                {path === '/account/approvals' ? countOf(visit) : null}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <h1>{title}</h1>
      {isDone(said) ? <Notice>{done[said]}</Notice> : null}
      <ErrorSummary faults={faults} />
      {body}
      <hr />
      <p class="hint">
        {'Signed in as '}
        <strong>{user.document.email}</strong>
      </p>
      <Form action={`${base}/signout`} csrf={visitor.csrf} id="sign-out">
        <Button kind="other">Sign out</Button>
      </Form>
    </>,
  );
}
