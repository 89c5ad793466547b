import { askModule } from '../access/ask/index.ts';
import { authZenModule } from '../access/authzen/index.ts';
import { decisionsModule } from '../access/decisions/index.ts';
import { mcpModule } from '../access/mcp/index.ts';
import { trailModule } from '../access/trail/index.ts';
import { usageModule } from '../access/usage/index.ts';
import { auditModule } from '../audit/index.ts';
import { catalogModule } from '../delivery/catalog/index.ts';
import { dispatchModule, served } from '../delivery/dispatch/index.ts';
import { signalsChannel, signalsModule } from '../delivery/signals/index.ts';
import { eventLogModule } from '../delivery/stream/index.ts';
import { webhookChannel, webhooksModule } from '../delivery/webhooks/index.ts';
import { agentsModule } from '../directory/agents/index.ts';
import { delegationsModule } from '../directory/delegations/index.ts';
import { elevationsModule } from '../directory/elevations/index.ts';
import { groupsModule } from '../directory/groups/index.ts';
import { keysModule } from '../directory/keys/index.ts';
import { membersModule } from '../directory/members/index.ts';
import { organizationsModule } from '../directory/organizations/index.ts';
import { permissionsModule, scopesModule } from '../directory/permissions/index.ts';
import { policiesModule } from '../directory/policies/index.ts';
import { rolesModule } from '../directory/roles/index.ts';
import { settingsModule } from '../directory/settings/index.ts';
import { usersModule } from '../directory/users/index.ts';
import { accountModule } from '../identity/account/index.ts';
import { approvalsModule } from '../identity/approvals/index.ts';
import { federationModule } from '../identity/federation/index.ts';
import { limitsModule } from '../identity/limits/index.ts';
import { mfaModule } from '../identity/mfa/index.ts';
import { providersModule } from '../identity/providers/index.ts';
import { riskModule } from '../identity/risk/index.ts';
import { sessionsModule } from '../identity/sessions/index.ts';
import { signInModule } from '../identity/signin/index.ts';
import { Assignments } from '../kernel/assignments/index.ts';
import { EventTypes } from '../kernel/events/index.ts';
import { kernelModule, type Module, ofAll } from '../kernel/modules/index.ts';
import { loadSystemModel, type SystemModel } from '../kernel/rights/index.ts';
import { clientsModule, oauthModule } from '../protocols/oauth/index.ts';
import { scimModule, scimRequestsModule, scimTokensModule } from '../protocols/scim/index.ts';
import type { JobServices } from './jobs.ts';
import { operationsModule } from './operations.ts';
import type { QueryServices } from './service/query-services.ts';
import type { Services } from './service/services.ts';

/** A module that can be a part of this service. */
export type ServiceModule = Module<Services, QueryServices, JobServices>;

/** Everything that the service is made of, in the order of the OpenAPI document. */
export const modules: readonly ServiceModule[] = [
  operationsModule,
  kernelModule,
  organizationsModule,
  decisionsModule,
  askModule,
  authZenModule,
  keysModule,
  usersModule,
  mfaModule,
  federationModule,
  rolesModule,
  permissionsModule,
  scopesModule,
  groupsModule,
  membersModule,
  policiesModule,
  agentsModule,
  delegationsModule,
  elevationsModule,
  trailModule,
  settingsModule,
  scimTokensModule,
  scimRequestsModule,
  providersModule,
  usageModule,
  mcpModule,
  sessionsModule,
  clientsModule,
  oauthModule,
  scimModule,
  auditModule,
  catalogModule,
  eventLogModule,
  webhooksModule,
  signalsModule,
  limitsModule,
  riskModule,
  signInModule,
  accountModule,
  approvalsModule,
  dispatchModule<JobServices>(served(webhookChannel(() => eventTypes())), served(signalsChannel())),
];

/** The system model with the types of some modules. */
export function systemModelOf(all: readonly ServiceModule[]): SystemModel {
  return loadSystemModel(typesOf(all));
}

/** What some modules add to the system model. */
export function typesOf(all: readonly ServiceModule[]): string[] {
  return ofAll(all, ({ types }) => (types === undefined ? [] : [types]));
}

/** What some modules assign to somebody. */
export function assignmentsOf(all: readonly ServiceModule[]): Assignments {
  return new Assignments(ofAll(all, ({ assignments }) => assignments));
}

/** Every type of events that some modules cause: the catalogue. None is caused that is not in it. */
export function eventsOf(all: readonly ServiceModule[]) {
  return ofAll(all, ({ events }) => events);
}

/** Every kind of record that some modules keep. No collection is outside of them. */
export function recordsOf(all: readonly ServiceModule[]) {
  return ofAll(all, ({ records }) => records);
}

let knownTypes: EventTypes | undefined;

/** Every type of events of this service. */
function eventTypes(): EventTypes {
  knownTypes ??= new EventTypes(eventsOf(modules));
  return knownTypes;
}

/** Without a record of these kinds, the delivery thread has nothing to do. */
export function deliveredKinds(all: readonly ServiceModule[]) {
  return ofAll(all, ({ jobs }) => jobs).flatMap((job) => (job.thread === 'delivery' ? (job.for ?? []) : []));
}

/** What commands know of the service. */
export function describeService() {
  return { records: recordsOf(modules), events: eventsOf(modules), systemModel: systemModelOf(modules) };
}
