import { type Problem, problem } from '../problems/problem.ts';
import { type ErrorRenderer, renderProblem } from '../problems/problem-renderer.ts';
import type { Reply } from '../reply/reply.ts';
import type { IncomingRequest } from '../transport/transport.ts';

/** A renderer that throws must not leave a request without an answer. */
export function rendered(renderer: ErrorRenderer, failure: Problem, request: IncomingRequest): Reply {
  const header = (name: string): string => request.header(name);
  try {
    return renderer(failure, request.id, header);
  } catch {
    return renderProblem(
      problem('internal', 'The answer could not be written. The log has the reason under its request id.'),
      request.id,
      header,
    );
  }
}
