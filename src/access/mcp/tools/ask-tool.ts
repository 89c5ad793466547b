import { ask, askBody } from '../../ask/index.ts';
import { answered, type Tools, told } from './tool.ts';

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
