import { z } from 'zod';
import { ask, askBody } from '../../ask/index.ts';
import { checkPermission, ownPermissions, permissionSchema, resourceSchema } from '../../decisions/index.ts';
import { answered, type Tools, told, toldReply } from './tool.ts';

const question = z.strictObject({
  permission: permissionSchema.describe('Slug of a permission, such as docs:read, or its number'),
  resource: resourceSchema.optional().describe('The object that it is about, where the permission is about one'),
});

const listing = z.strictObject({
  search: z.string().min(1).max(256).optional().describe('Only permissions whose slug has this in it'),
});

const readOnly = { readOnlyHint: true, openWorldHint: false } as const;

/** What the caller may do: decided by the engine, as at `/authz/check` and `/authz/permissions`. */
export const checkTools: Tools = (server, dependencies, { caller }) => {
  server.registerTool(
    'check',
    {
      title: 'May I?',
      description: 'Whether you may do something now: `allowed` is the decision. Ask before you act.',
      inputSchema: question,
      annotations: readOnly,
    },
    (asked) => answered(() => checkPermission(dependencies, caller, { ...asked, subject: caller.subject }), toldReply),
  );
  server.registerTool(
    'list_permissions',
    {
      title: 'What may I do?',
      description: 'The permissions that you have, each with where it comes from. At most 100: search for others.',
      inputSchema: listing,
      annotations: readOnly,
    },
    ({ search }) => answered(() => ownPermissions(dependencies, caller, search), toldReply),
  );
};

/** Questions in plain words, as at `/agents/ask`. */
export const askTool: Tools = (server, dependencies, { caller }) => {
  server.registerTool(
    'ask',
    {
      title: 'Ask in plain words',
      description:
        'Whether something is allowed, in a sentence such as "May I delete document:plan?". `allowed` is the decision of ' +
        'the engine; `confidence` tells how surely the question was understood. With the slug of a permission, use check.',
      inputSchema: askBody,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (question) => answered(() => ask(dependencies, caller, question), told),
  );
};
