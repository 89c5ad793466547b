import { z } from 'zod';
import type { NewDelegation } from '../../../directory/delegations/index.ts';
import { agentRecords } from '../../../directory/records/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { ticked } from '../../pages/index.ts';
import type { AccountVisit } from '../frame/account-endpoint.ts';
import type { Parsed } from '../frame/faults.ts';
import { objectsIn } from '../frame/objects-in.ts';

export const SCOPES_MAX = 100;
const RESOURCES_MAX = 100;
export const LINES_LENGTH_MAX = 16_384;
const DAY_MS = 86_400_000;

export const daysOffered = ['1', '7', '30', '90'] as const;

export const delegationForm = z.object({
  agent: z.string().max(256).default(''),
  scope: ticked(128, SCOPES_MAX),
  others: z.string().max(LINES_LENGTH_MAX).default(''),
  only: z.string().max(LINES_LENGTH_MAX).default(''),
  days: z.enum(daysOffered).default('30'),
});

export type DelegationForm = z.output<typeof delegationForm>;

/** What is to be delegated, or what is wrong with the form. To be called inside `Engine.read`. */
export function wantedDelegation(
  { organization: { store }, t }: Pick<AccountVisit, 'organization' | 't'>,
  { agent, scope, others, only, days }: DelegationForm,
  now: number,
): Parsed<NewDelegation> {
  const found = findAgent(store, agent.trim());
  const typed = others.split('\n').map((line) => line.trim());
  const scopes = [...new Set([...scope, ...typed])].filter((slug) => slug !== '');
  const resources = objectsIn(t, only, RESOURCES_MAX);
  const faults = [];
  if (found === undefined) faults.push({ field: 'agent', message: t('agents.noAgent') });
  if (found === 'several') faults.push({ field: 'agent', message: t('agents.severalAgents') });
  if (scopes.length === 0) faults.push({ field: 'scopes', message: t('agents.onePermission') });
  if (scopes.length > SCOPES_MAX)
    faults.push({ field: 'scopes', message: t('agents.permissionsMax', { count: SCOPES_MAX }) });
  if ('fault' in resources) faults.push({ field: 'only', message: resources.fault });
  if (found === undefined || found === 'several' || 'fault' in resources || faults.length > 0) return { faults };
  return {
    values: {
      agentId: found,
      scopes,
      expiresAt: new Date(now + Number(days) * DAY_MS).toISOString(),
      ...(resources.length === 0 ? {} : { resources: [...resources] }),
    },
  };
}

/** The id of the active agent with this id, or the only one with this name. */
function findAgent(store: Organization['store'], text: string): string | 'several' | undefined {
  if (text === '') return undefined;
  const own = agentRecords.get(store, text);
  if (own !== undefined) return own.document.isActive ? own.id : undefined;
  const name = text.toLowerCase();
  let found: string | undefined;
  for (const { id, document } of agentRecords.all(store)) {
    if (!document.isActive || document.name.toLowerCase() !== name) continue;
    if (found !== undefined) return 'several';
    found = id;
  }
  return found;
}
