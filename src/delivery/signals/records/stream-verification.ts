import { z } from 'zod';
import { defineEvent, resourceNames } from '../../../kernel/events/index.ts';

/** The receiver of a stream wants to see that events arrive (SSF 1.0, 8.1.4). */
export const streamVerification = defineEvent({
  type: 'signals.verification',
  data: z.strictObject({ streamId: z.string(), clientId: z.string(), state: z.string().nullable() }),
  example: {
    streamId: '01920000-0000-7000-8000-00000000000e',
    clientId: '01920000-0000-7000-8000-00000000000f',
    state: null,
  },
  about: ({ clientId }) => resourceNames({ client: clientId }),
  becomes: {},
});
