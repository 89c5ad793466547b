import { agentSubject } from '../../../directory/records/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';

const prefix = agentSubject('');

/** The agent that a question is about: by itself, or acting for the user of its token. */
export function agentOf({ subject: own, actor }: Caller, subject: string): string | undefined {
  const agent = actor !== undefined && subject === own ? actor : subject;
  return agent.startsWith(prefix) ? agent.slice(prefix.length) : undefined;
}

/** The same where that agent is the one who asks: what it lacks, it may ask for. */
export function askingAgentOf(caller: Caller, subject: string): string | undefined {
  return subject === caller.subject ? agentOf(caller, subject) : undefined;
}
