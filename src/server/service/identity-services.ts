import { group, groupSchema, groupView } from '../../directory/groups/index.ts';
import { permission, permissionSchema, permissionView } from '../../directory/permissions/index.ts';
import { role, roleSchema, roleView } from '../../directory/roles/index.ts';
import { OrganizationMailer, OrganizationSms } from '../../directory/settings/index.ts';
import { type AssignableViews, PasswordHasher, type UserDependencies } from '../../directory/users/index.ts';
import { disownIdentities, Federation, samlUpstream, upstreamsOf } from '../../identity/federation/index.ts';
import { Attacks, Lockout } from '../../identity/limits/index.ts';
import { Mfa } from '../../identity/mfa/index.ts';
import { Sessions, Tokens } from '../../identity/sessions/index.ts';
import { SignIn } from '../../identity/signin/index.ts';
import { Numbers } from '../../kernel/transactions/index.ts';
import { Mailer, openPlaces, SmsGateway, smsProviderOf } from '../../platform/index.ts';
import { recordsOf } from '../modules.ts';
import type { ServiceBasis } from './dependencies.ts';

/** How many numbers a thread takes at once: creating many users is then no race for a counter. */
const NUMBERS_AT_ONCE = 256;

/** Answers about users show roles, groups and permissions as the modules of those do, which import that of users. */
const assignableViews: AssignableViews = {
  role: { definition: role.list.definition, schema: () => roleSchema, show: roleView },
  group: { definition: group.list.definition, schema: () => groupSchema, show: groupView },
  permission: { definition: permission.list.definition, schema: permissionSchema, show: permissionView },
};

type PeopleBasis = Pick<ServiceBasis, 'admin' | 'modules' | 'queryPool' | 'sealer' | 'config' | 'log' | 'outbound'>;

/** What everything works with that is about the people of organizations: one for each thread. */
export function userDependencies(basis: PeopleBasis): UserDependencies {
  const { admin, modules, queryPool, sealer, config, log, outbound } = basis;
  const { engine } = admin;
  const { baseUrl, smtpUrl } = config;
  const records = recordsOf(modules);
  return {
    ...admin,
    queryPool,
    mailer: new OrganizationMailer({ engine, sealer, baseUrl, log, mailer: new Mailer(outbound, smtpUrl) }),
    hasher: new PasswordHasher(),
    numbers: new Numbers(engine, NUMBERS_AT_ONCE),
    baseUrl,
    views: assignableViews,
    forget: (store, userId) => records.flatMap((kind) => kind.forget(store, userId)),
    disown: disownIdentities,
  };
}

export type SessionServices = ReturnType<typeof sessionServices>;

/** What starts, uses and ends sessions and tokens in one thread. */
export function sessionServices({ admin, memory, requireHeard }: ServiceBasis) {
  const sessions = new Sessions({ ...admin, locate: openPlaces(memory.places), requireHeard });
  const tokens = new Tokens(admin);
  return {
    sessions,
    tokens,
    lockout: new Lockout(admin),
    attacks: new Attacks(admin, memory.attacks),
    /** Writes down when they were last used; `all` at the end of their thread. To be called every few seconds. */
    async flush(all = false) {
      await sessions.flush(all);
      await tokens.flush(all);
    },
  };
}

export type SignInServices = ReturnType<typeof signInServices>;

/** Sign-in of one thread with its second factors, through providers too, and what its pages work with. */
export function signInServices(basis: ServiceBasis, people: UserDependencies, signedIn: SessionServices) {
  const { reader, config, sealer, log, background, failures, guesses, outbound, route = (url) => url } = basis;
  const { engine, clock } = people;
  const { sessions, lockout, attacks } = signedIn;
  const sms = new OrganizationSms({ engine, gateway: new SmsGateway(outbound, smsProviderOf(config)), sealer, log });
  const mfa = new Mfa({ ...people, sealer, log, sms, lockout, failures });
  const visits = {
    ...people,
    directory: reader.directory,
    sealer,
    log,
    background,
    sessions,
    lockout,
    attacks,
    failures,
    guesses,
    mfa,
  };
  const signIn = new SignIn(visits);
  const asking = { guard: outbound, route, clock };
  const federated = { ...visits, signIn, upstreams: upstreamsOf(asking, samlUpstream(asking)) };
  const federation = new Federation(federated);
  return {
    mfa,
    signIn: { dependencies: visits, signIn },
    federation: { dependencies: federated, federation },
    account: { ...visits, signIn, federation },
  };
}
