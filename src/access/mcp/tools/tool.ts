import type { CallToolResult, InputRequiredResult, McpRequestContext, McpServer } from '@modelcontextprotocol/server';
import { type Problem, problemFromError, type Reply } from '../../../http/index.ts';
import type { RequestFacts } from '../../../kernel/audit/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import type { McpDependencies } from '../mcp-dependencies.ts';

/** Who asks, by the credential of the HTTP request. */
export interface Asking {
  readonly caller: Caller;
  readonly facts: RequestFacts;
}

/** The same, and in which era of the protocol: only the later one goes on by itself when a person has decided. */
export type AskingHere = Asking & Pick<McpRequestContext, 'era'>;

/** Tools of one kind. */
export type Tools = (server: McpServer, dependencies: McpDependencies, asking: AskingHere) => void;

/** What a tool answers: the same for programs and for readers. */
export function told(value: Readonly<Record<string, unknown>>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: { ...value } };
}

/**
 * The answer of what works behind an endpoint of its own. What it refuses is an error of the tool, in the words of the
 * endpoint, so that a model can do better the next time; a failure of the service stays one.
 */
export async function answered<T, Told extends CallToolResult | InputRequiredResult>(
  work: () => T | Promise<T>,
  tell: (value: T) => Told,
): Promise<Told | CallToolResult> {
  try {
    return tell(await work());
  } catch (error) {
    const problem = problemFromError(error);
    if (problem === undefined || problem.kind.status >= 500) throw error;
    return refusal(problem);
  }
}

export function refusal({ kind: { code }, detail, options: { errors = [] } }: Problem): CallToolResult {
  const told = { error: code, detail, ...(errors.length === 0 ? {} : { errors }) };
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(told) }] };
}

/** What a reply of an endpoint says: its text is JSON. */
export function toldReply(reply: Reply | Problem): CallToolResult {
  if ('kind' in reply) return refusal(reply);
  return told(JSON.parse(String(reply.body)) as Record<string, unknown>);
}
