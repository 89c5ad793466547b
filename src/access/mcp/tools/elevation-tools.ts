import { inputRequired, type McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import {
  createTask,
  endElevation,
  newTaskBody,
  ownTask,
  ownTasks,
  reasonSchema,
  taskStatus,
} from '../../../directory/elevations/index.ts';
import type { TaskEntry } from '../../../directory/records/index.ts';
import type { McpDependencies } from '../mcp-dependencies.ts';
import { decidedTask, stateOf, taskFields, taskOfState, toldTask } from './elevation-task.ts';
import { type AskingHere, answered, type Tools, told } from './tool.ts';

const taskId = z.string().min(1).max(128);
const list = z.strictObject({ task_id: taskId.optional().describe('One task, also where it is over') });
const ending = z.strictObject({ task_id: taskId, reason: reasonSchema.optional() });

/** The person's answer, among those that a client brings back. */
const DECISION = 'decision';

/** How an agent gets more than it has, for a while, from a person who has it: as at `/jit/task`. */
export const elevationTools: Tools = (server, dependencies, asking) => {
  const { caller, facts } = asking;
  requestTool(server, dependencies, asking);
  server.registerTool(
    'list_elevations',
    {
      title: 'What did I ask for, and what do I have?',
      description: 'For agents: your tasks that wait for a decision, and those that were approved and are not over.',
      inputSchema: list,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ task_id: id }) =>
      answered(
        () => dependencies.engine.read(() => (id === undefined ? ownTasks(caller) : [ownTask(caller, id)])),
        (tasks) => told({ tasks: tasks.map((task) => taskFields(dependencies, caller, task)) }),
      ),
  );
  server.registerTool(
    'end_elevation',
    {
      title: 'Give back what was lent',
      description: 'For agents: ends an approved task at once, with every token of it. Do so when you are done.',
      inputSchema: ending,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    ({ task_id: id, reason }) =>
      answered(
        () => endElevation(dependencies.elevations, caller, facts, id, reason),
        (task) => toldTask(dependencies, caller, task),
      ),
  );
};

function requestTool(server: McpServer, dependencies: McpDependencies, { caller, facts, era }: AskingHere): void {
  const { sealer } = dependencies;

  /** The task of a first call is a new one; of a client that comes back, the one that it has waited for. */
  const taskOf = async (asked: z.output<typeof newTaskBody>, { mcpReq }: ServerContext): Promise<TaskEntry> => {
    const id = taskOfState(sealer, caller, mcpReq.requestState<string>());
    if (id === undefined) return await createTask(dependencies.elevations, caller, facts, asked);
    if (isDeclined(mcpReq)) return dependencies.engine.read(() => ownTask(caller, id));
    return await decidedTask(dependencies, caller, id, mcpReq.signal);
  };

  /** Whether the client shows its person a page, and comes back by itself: the revision of 2026-07-28. */
  const comesBack = ({ mcpReq }: ServerContext): boolean =>
    era === 'modern' && server.server.getClientCapabilities()?.elicitation?.url !== undefined && !isDeclined(mcpReq);

  server.registerTool(
    'request_elevation',
    {
      title: 'Ask a person for more permissions',
      description:
        'For agents. Somebody who has the permissions decides on a page, and you get the answer. An approved task is ' +
        'exchanged for an access token at the token endpoint (jit_task_id). Where your client cannot show a page, you ' +
        'are told its address at once: show it, and look at list_elevations.',
      inputSchema: newTaskBody,
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    (asked, context) =>
      answered(
        () => taskOf(asked, context),
        (task) => {
          const { approval_url: url } = taskFields(dependencies, caller, task);
          const isPending = taskStatus(task, dependencies.clock.now()) === 'pending';
          if (!isPending || url === undefined || !comesBack(context)) return toldTask(dependencies, caller, task);
          const message = 'Somebody who has these permissions decides about them on this page.';
          return inputRequired({
            inputRequests: { [DECISION]: inputRequired.elicitUrl({ message, url }) },
            requestState: stateOf(sealer, caller, task.id),
          });
        },
      ),
  );
}

/** Whether the person did not want to see the page. */
function isDeclined({ inputResponses }: ServerContext['mcpReq']): boolean {
  const answer = inputResponses?.[DECISION];
  const action = typeof answer === 'object' && answer !== null && 'action' in answer ? answer.action : undefined;
  return action === 'decline' || action === 'cancel';
}
