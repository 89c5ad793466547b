import type { Examples } from '../example.ts';
import { accessExamples } from './access.ts';
import { agentExamples } from './agents.ts';
import { auditExamples } from './audit.ts';
import { authZenExamples } from './authzen.ts';
import { clientExamples } from './clients.ts';
import { decisionExamples } from './decisions.ts';
import { delegationExamples } from './delegations.ts';
import { elevationExamples } from './elevations.ts';
import { keyExamples } from './keys.ts';
import { oauthExamples } from './oauth.ts';
import { platformExamples } from './platform.ts';
import { scimExamples } from './scim.ts';
import { scimTokenExamples } from './scim-tokens.ts';
import { sessionExamples } from './sessions.ts';
import { settingsExamples } from './settings.ts';
import { eventExamples, signalExamples } from './signals.ts';
import { socialExamples } from './social.ts';
import { userExamples } from './users.ts';
import { webhookExampleTable } from './webhooks.ts';

/** Every operation of the service has one; a test names those that have none. */
export const examples: Examples = {
  ...oauthExamples,
  ...clientExamples,
  ...platformExamples,
  ...decisionExamples,
  ...authZenExamples,
  ...delegationExamples,
  ...elevationExamples,
  ...keyExamples,
  ...agentExamples,
  ...scimTokenExamples,
  ...scimExamples,
  ...auditExamples,
  ...accessExamples,
  ...sessionExamples,
  ...settingsExamples,
  ...socialExamples,
  ...userExamples,
  ...webhookExampleTable,
  ...eventExamples,
  ...signalExamples,
};
