import type { Module } from '../../kernel/modules/index.ts';
import type { AccountDependencies } from '../account/index.ts';
import { approvalEndpoints } from './approval-endpoints.ts';
import { inboxEndpoint } from './inbox-endpoint.tsx';

/** Where people decide what agents are lent. */
export const approvalsModule: Module<{ readonly account: AccountDependencies }> = {
  name: 'approvals',
  pages: ({ account }) => [inboxEndpoint(account), ...approvalEndpoints(account)],
};
