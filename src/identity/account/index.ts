import type { Module } from '../../kernel/modules/index.ts';
import { accountEndpoints } from './account-endpoints.ts';
import type { AccountDependencies } from './dependencies.ts';

export { AgentTabs } from './agents/agent-tabs.tsx';
export { ResourceList } from './agents/delegation-list.tsx';
export type { AccountDependencies } from './dependencies.ts';
export { type AccountVisit, accountEndpoint, FRESH_MS } from './frame/account-endpoint.ts';
export { AccountForm } from './frame/account-form.tsx';
export { accountPage } from './frame/account-page.tsx';
export { Moment } from './frame/moment.tsx';
export { objectsIn } from './frame/objects-in.ts';

/** What people see and change of themselves. */
export const accountModule: Module<{ readonly account: AccountDependencies }> = {
  name: 'account',
  pages: ({ account }) => accountEndpoints(account),
};
