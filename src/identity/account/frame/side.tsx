import { Avatar, Badge, Button, Form, Icon } from '../../pages/index.ts';
import type { AccountVisit } from './account-endpoint.ts';

/** The rooms of the account, in the order in which they stand. */
const rooms = [
  { room: 'profile', path: '/account', icon: 'profile', label: 'account.profile' },
  { room: 'security', path: '/account/security', icon: 'security', label: 'account.security' },
  { room: 'devices', path: '/account/sessions', icon: 'laptop', label: 'account.devices' },
  { room: 'identities', path: '/account/identities', icon: 'link', label: 'account.identities' },
  { room: 'applications', path: '/account/applications', icon: 'applications', label: 'account.applications' },
  { room: 'agents', path: '/account/agents', icon: 'agents', label: 'agents.agents' },
] as const;

export type Room = (typeof rooms)[number]['room'];

/** The way to all rooms, who is signed in, and the way out. */
export function Side({ visit, room: open }: { readonly visit: AccountVisit; readonly room: Room }) {
  const { base, t, visitor, user } = visit;
  const { email, picture } = user.document;
  const name = nameOf(visit);
  return (
    <>
      <nav aria-label={t('account.account')} data-tabs>
        <ul class="rooms">
          {rooms.map(({ room, path, icon, label }) => (
            <li key={room}>
              <a href={`${base}${path}`} {...(room === open ? { 'aria-current': 'page' as const } : {})}>
                <Icon name={icon} />
                {t(label)}
                {room === 'agents' ? <Waiting visit={visit} /> : null}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <section class="whoami" aria-label={t('account.signedInAs')}>
        <Avatar name={name} picture={picture} />
        <p>
          {name === email ? null : <strong dir="auto">{name}</strong>}
          <span class="email" title={email}>
            {email}
          </span>
        </p>
        <Form action={`${base}/signout`} csrf={visitor.csrf} id="sign-out">
          <Button kind="other">{t('account.signOut')}</Button>
        </Form>
      </section>
    </>
  );
}

/** How somebody is called here. */
export function nameOf({ user }: Pick<AccountVisit, 'user'>): string {
  const { name, givenName, email } = user.document;
  return name ?? givenName ?? email;
}

/** How many requests wait for a decision; nothing where none does. */
export function Waiting({ visit: { t, waiting } }: { readonly visit: AccountVisit }) {
  const { count, hasMore } = waiting();
  if (count === 0) return null;
  return (
    <Badge kind="count">
      {`${count}${hasMore ? '+' : ''}`}
      <span class="unseen">{` ${t('agents.requestsWaiting', { count })}`}</span>
    </Badge>
  );
}
