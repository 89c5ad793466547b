import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { DataOf, DomainEvent } from '../../../kernel/events/index.ts';
import { userLoginFailed } from '../signin-events.ts';

type Failed = DataOf<typeof userLoginFailed>;

const USER_AGENT_MAX = 512;

/** The event of so many failures to sign in. */
export function failedLogin(
  { userId, email, account }: Pick<Failed, 'userId' | 'email' | 'account'>,
  facts: RequestFacts,
  reason: Failed['reason'],
): (count: number) => DomainEvent {
  const ip = facts.clientAddress();
  const userAgent = facts.header('user-agent').slice(0, USER_AGENT_MAX);
  return (count) => userLoginFailed.of({ userId, email, account, ip, userAgent, reason, count });
}
