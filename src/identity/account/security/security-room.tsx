import { z } from 'zod';
import { readSettings } from '../../../directory/settings/index.ts';
import { passwordState } from '../../../directory/users/index.ts';
import type { Endpoint, Reply } from '../../../http/index.ts';
import { listFactors } from '../../mfa/index.ts';
import type { FormFault } from '../../pages/index.ts';
import { strengthCheck, strengthScript } from '../../signin/index.ts';
import type { AccountDependencies } from '../dependencies.ts';
import { addable } from '../factors/addable.ts';
import { FactorPanels } from '../factors/factor-panels.tsx';
import { type AccountVisit, accountEndpoint } from '../frame/account-endpoint.ts';
import { accountPage } from '../frame/account-page.tsx';
import { PasswordPanel } from '../password/password-panel.tsx';
import { arePasswordsUsed } from '../password/passwords-used.ts';

interface SecurityRoom {
  /** The row that is open: `password`, `recovery-codes` or the id of a factor. */
  readonly open?: string | undefined;
  readonly done?: string | undefined;
  readonly faults?: readonly FormFault[];
}

/** By what a user signs in: password, passkeys, second factors, recovery codes. */
export function securityRoom(
  dependencies: AccountDependencies,
  visit: AccountVisit,
  { open, done, faults = [] }: SecurityRoom,
): Reply<never> {
  const { organization, user, t } = visit;
  const { store } = organization;
  const { password, factors, methods, codesLeft } = dependencies.engine.read(() => {
    const { signIn, passwordPolicy } = readSettings(store);
    const state = passwordState(store, user.id);
    return {
      password: { ...state, isUsed: arePasswordsUsed(signIn), policy: passwordPolicy },
      factors: listFactors(store, user.id),
      methods: addable(dependencies, visit),
      codesLeft: dependencies.mfa.recovery.left(store, user.id),
    };
  });
  const strength = strengthCheck(dependencies.sealer, visit, user.document);
  return accountPage(
    visit,
    {
      room: 'security',
      title: t('account.security'),
      lead: t('account.securityLead'),
      done,
      faults,
      scripts: [strengthScript],
      asks: true,
    },
    <>
      <PasswordPanel visit={visit} facts={password} strength={strength} isOpen={open === 'password'} faults={faults} />
      <FactorPanels visit={visit} factors={factors} methods={methods} codesLeft={codesLeft} open={open} />
    </>,
  );
}

/** The room as it is seen without signing in anew: what can be changed is opened at addresses that want that. */
export function securityEndpoint(dependencies: AccountDependencies): Endpoint {
  return accountEndpoint(dependencies, {
    method: 'GET',
    path: '/orgs/{orgId}/account/security',
    summary: 'Password, passkeys and second factors',
    query: z.object({ done: z.string().max(32).optional() }),
    handler: (visit) => securityRoom(dependencies, visit, visit.query),
  });
}
