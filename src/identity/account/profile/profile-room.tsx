import { type OwnField, ownFields } from '../../../directory/users/index.ts';
import type { Reply } from '../../../http/index.ts';
import { Avatar, type FormFault } from '../../pages/index.ts';
import type { AccountDependencies } from '../dependencies.ts';
import type { AccountVisit } from '../frame/account-endpoint.ts';
import { accountPage } from '../frame/account-page.tsx';
import { nameOf } from '../frame/side.tsx';
import { EmailRow } from './email-row.tsx';
import type { Texts } from './profile-fields.ts';
import { AboutPanel, ContactPanel, LanguagePanel } from './profile-panels.tsx';

interface ProfileRoom {
  /** The row that is open: a field of its form. */
  readonly open?: OwnField | 'email' | undefined;
  readonly done?: string | undefined;
  readonly faults?: readonly FormFault[];
  /** What was typed and not taken. */
  readonly typed?: Texts | undefined;
  readonly email?: string | undefined;
}

/** What a user says of themselves, each with a way to change it. */
export function profileRoom(
  dependencies: AccountDependencies,
  visit: AccountVisit,
  { open, done, faults = [], typed, email = '' }: ProfileRoom,
): Reply<never> {
  const { organization, user, t, brand } = visit;
  const own = dependencies.engine.read(() => ownFields(organization.store));
  const { name, givenName, picture } = user.document;
  const called = name ?? givenName;
  const panel = { visit, own, open, faults, values: typed ?? user.document };
  return accountPage(
    visit,
    {
      room: 'profile',
      title: t('account.profile'),
      heading: (
        <div class="greeting">
          <Avatar name={nameOf(visit)} picture={picture} size="large" />
          <div>
            <h1 dir="auto">{called === undefined ? t('account.helloNobody') : t('account.hello', { name: called })}</h1>
            <p class="hint">{t.rich('account.yourAccount', { organization: <bdi>{brand.name}</bdi> })}</p>
          </div>
        </div>
      ),
      done,
      faults,
    },
    <>
      <AboutPanel {...panel} />
      <ContactPanel {...panel}>
        <EmailRow visit={visit} isOpen={open === 'email'} typed={email} faults={faults} />
      </ContactPanel>
      <LanguagePanel {...panel} />
    </>,
  );
}
