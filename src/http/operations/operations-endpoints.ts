import { z } from 'zod';
import { equalSecrets } from '../../platform/index.ts';
import { type Problem, problem, unauthenticated } from '../problems/problem.ts';
import { defineProblems } from '../problems/problem-kinds.ts';
import { bytes, json, type Reply } from '../reply/reply.ts';
import { type Endpoint, endpointFor } from '../routing/endpoint.ts';

export interface Probe {
  readonly ready: boolean;
  /** Name and state of what readiness depends on; no secrets and no addresses, as anyone may ask. */
  readonly checks: Readonly<Record<string, string>>;
}

interface Probes {
  /** Asked by `/readyz`, and cheap: load balancers ask every second. */
  readonly ready: () => Probe;
  /** The text of the metrics page; `undefined` where it could not be made in time. */
  readonly metricsPage: () => string | Promise<string | undefined>;
  /** Bearer token for the metrics; if omitted, anybody may read them. */
  readonly metricsToken?: string | null;
  /** Whether the metrics are served at another address alone. */
  readonly isElsewhere?: boolean;
}

/** Without a token anybody may read the metrics. */
export function mayReadMetrics(authorization = '', token: string | null = null): boolean {
  if (token === null) return true;
  const [, given = ''] = /^bearer +(\S+)$/i.exec(authorization) ?? [];
  return equalSecrets(given, token);
}

/** The Prometheus text format. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

const kinds = defineProblems({ metrics_unavailable: [503, 'The metrics are not available at the moment'] });

function metricsReply(text: string | undefined): Reply | Problem {
  if (text === undefined) return problem(kinds.metrics_unavailable, 'Not every thread has answered. Try again.');
  return bytes(200, metricsType, text);
}

const endpoint = endpointFor<never>();
const tags = ['Operations'];

const health = z.strictObject({
  status: z.enum(['ok', 'not ready']),
  checks: z.record(z.string(), z.string()).optional(),
});

/** `/healthz`, `/readyz` and `/metrics`. */
export function operationsEndpoints(probes: Probes): Endpoint[] {
  const endpoints = [
    endpoint({
      method: 'GET',
      path: '/healthz',
      summary: 'Check liveness',
      description: 'Answers as long as this thread takes requests.',
      tags,
      access: 'public',
      rate: 'unlimited',
      responses: { 200: { description: 'The thread is alive.', schema: health } },
      handler: () => json(200, { status: 'ok' as const }),
    }),
    endpoint({
      method: 'GET',
      path: '/readyz',
      summary: 'Check readiness',
      description:
        'Not ready while starting, while draining, and when the store cannot be read. If it can be read but not ' +
        'written (a full disk), decisions are answered and writes are refused with 503. Then `checks.writes` is ' +
        '`failing`, and the service counts as not ready only with `?writes=required`.',
      tags,
      access: 'public',
      rate: 'unlimited',
      query: z.strictObject({ writes: z.literal('required').optional() }),
      responses: {
        200: { description: 'Send requests here.', schema: health },
        503: { description: 'Send requests elsewhere.', schema: health },
      },
      handler: ({ query }) => {
        const { ready, checks } = probes.ready();
        const isEnough = query.writes === undefined || checks.writes !== 'failing';
        return ready && isEnough
          ? json(200, { status: 'ok' as const, checks })
          : json(503, { status: 'not ready' as const, checks });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/metrics',
      summary: 'Get metrics',
      description: 'All threads together, in the Prometheus text format, at most a second old. May require a token.',
      tags,
      access: 'public',
      rate: 'unlimited',
      errors: ['unauthenticated', kinds.metrics_unavailable],
      responses: { 200: { description: 'The page.', contentType: 'text/plain' } },
      handler: (call) => {
        if (!mayReadMetrics(call.header('authorization'), probes.metricsToken))
          return unauthenticated('Send the token for metrics as a bearer token.');
        const text = probes.metricsPage();
        return text instanceof Promise ? text.then(metricsReply) : metricsReply(text);
      },
    }),
  ];
  return probes.isElsewhere ? endpoints.filter(({ path }) => path !== '/metrics') : endpoints;
}
