/** The revisions of the protocol that the suite tests servers in, each on its own wire. */
export type Revision = '2025-11-25' | '2026-07-28';

/** Server scenarios that pass without a failure or a warning. */
export const passing: Readonly<Record<Revision, readonly string[]>> = {
  '2025-11-25': ['dns-rebinding-protection', 'ping', 'server-initialize', 'tools-list'],
  '2026-07-28': [
    'dns-rebinding-protection',
    'http-header-validation',
    'input-required-result-unsupported-methods',
    'server-sse-multiple-streams',
    'tools-list',
  ],
};

/** Scenarios that cannot pass here, and those that pass without having tested anything. */
export interface Exceptions {
  readonly reason: string;
  /** In both revisions where there is none. */
  readonly revision?: Revision;
  readonly scenarios: readonly string[];
  /** What the suite says itself of the reason, somewhere in its checks. */
  readonly shown?: RegExp;
  /** Exactly these checks fail, in the order of their ids. Without it, any may fail but that of the schema of messages. */
  readonly only?: readonly string[];
}

const fixture = 'needs a tool that only a server made for the suite has';
const notOffered = 'needs prompts, resources, completions or a log, which are neither offered nor announced';
const noSession = 'needs a session: on purpose there is none, and no stream to go on with';

export const exceptions: readonly Exceptions[] = [
  {
    reason: fixture,
    scenarios: [
      'json-schema-2020-12',
      'tools-call-audio',
      'tools-call-embedded-resource',
      'tools-call-error',
      'tools-call-image',
      'tools-call-mixed-content',
      'tools-call-simple-text',
      'tools-call-with-progress',
    ],
    shown: /\b(?:test_\w+|json_schema_2020_12_tool)\b/,
  },
  {
    reason: fixture,
    revision: '2025-11-25',
    scenarios: [
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
      'tools-call-elicitation',
      'tools-call-sampling',
    ],
    shown: /\btest_\w+/,
  },
  {
    reason: fixture,
    revision: '2026-07-28',
    scenarios: [
      'input-required-result-basic-elicitation',
      'input-required-result-basic-list-roots',
      'input-required-result-basic-sampling',
      'input-required-result-capability-check',
      'input-required-result-ignore-extra-params',
      'input-required-result-multiple-input-requests',
      'input-required-result-request-state',
      'input-required-result-result-type',
      // passes: it takes the refusal of the unknown tool for the refusal that it asks for
      'input-required-result-validate-input',
    ],
    shown: /\btest_\w+/,
  },
  {
    reason: fixture,
    revision: '2026-07-28',
    // the suite does not print the tool's name
    scenarios: [
      'input-required-result-missing-input-response',
      'input-required-result-multi-round',
      'input-required-result-tampered-state',
    ],
  },
  {
    reason: fixture,
    revision: '2026-07-28',
    scenarios: ['server-stateless'],
    shown: /\btest_missing_capability\b.*\btest_streaming_elicitation\b.*\btest_logging_tool\b/,
    only: [
      'sep-2575-http-server-no-independent-requests-on-stream',
      'sep-2575-missing-capability-http-400',
      'sep-2575-server-no-log-without-loglevel',
      'sep-2575-server-rejects-undeclared-capability',
    ],
  },
  {
    reason: 'needs a tool one of whose arguments is a header of HTTP, too: no tool here has one',
    revision: '2026-07-28',
    scenarios: ['http-custom-header-server-validation'],
    shown: /server exposes no tool with x-mcp-header annotations/,
  },
  {
    reason: notOffered,
    scenarios: [
      'completion-complete',
      'prompts-get-embedded-resource',
      'prompts-get-simple',
      'prompts-get-with-args',
      'prompts-get-with-image',
      'prompts-list',
      'resources-list',
      'resources-read-binary',
      'resources-read-text',
      'resources-templates-read',
    ],
    shown: /Method not found/,
  },
  {
    reason: notOffered,
    revision: '2025-11-25',
    scenarios: ['logging-set-level', 'resources-subscribe', 'resources-unsubscribe', 'tools-call-with-logging'],
    shown: /Method not found/,
  },
  {
    reason: notOffered,
    revision: '2026-07-28',
    scenarios: ['input-required-result-non-tool-request', 'sep-2164-resource-not-found'],
    shown: /Method not found|-32601/,
  },
  {
    reason: notOffered,
    revision: '2026-07-28',
    scenarios: ['caching'],
    shown: /Method not found/,
    only: [
      'sep-2549-prompts-list-caching-hints',
      'sep-2549-resources-list-caching-hints',
      'sep-2549-resources-templates-list-caching-hints',
    ],
  },
  {
    reason: noSession,
    revision: '2025-11-25',
    scenarios: ['server-session-lifecycle', 'server-sse-multiple-streams', 'server-sse-polling'],
    shown: /session/i,
  },
];
