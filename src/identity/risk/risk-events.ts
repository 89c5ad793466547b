import { z } from 'zod';
import { defineEvent, resourceNames } from '../../kernel/events/index.ts';

const text = z.string();
const place = z.strictObject({ city: text.nullable(), country: text.nullable() });

/** Who signed in, and how. */
const about = { userId: text, email: text, ip: text, userAgent: text, sessionId: text };
const aboutInC = { user_id: text, email: text, ip_address: text, user_agent: text, session_id: text };
const example = {
  userId: '01920000-0000-7000-8000-000000000001',
  email: 'anne@example.com',
  ip: '192.0.2.7',
  userAgent: 'Mozilla/5.0',
  sessionId: '01920000-0000-7000-8000-00000000000d',
};

type About = Readonly<Record<keyof typeof about, string>>;

function inC({ userId, email, ip, userAgent, sessionId }: About) {
  return { user_id: userId, email, ip_address: ip, user_agent: userAgent, session_id: sessionId };
}

const resources = ({ userId, sessionId }: About) => resourceNames({ user: userId, session: sessionId });

export const impossibleTravel = defineEvent({
  type: 'security.impossible_travel',
  data: z.strictObject({
    ...about,
    /** Where this sign-in came from, and the last one before it. */
    place,
    formerPlace: place,
    formerSessionId: text,
    distanceKm: z.int(),
    /** Between the two. */
    elapsedSeconds: z.int(),
  }),
  example: {
    ...example,
    place: { city: 'Sydney', country: 'AU' },
    formerPlace: { city: 'Lausanne', country: 'CH' },
    formerSessionId: '01920000-0000-7000-8000-00000000000c',
    distanceKm: 16_760,
    elapsedSeconds: 3600,
  },
  about: (data) => resources(data),
  becomes: {
    c: {
      name: 'security.impossible_travel',
      schema: z.strictObject({
        ...aboutInC,
        place,
        former_place: place,
        former_session_id: text,
        distance_km: z.int(),
        elapsed_seconds: z.int(),
      }),
      data: (data) => ({
        ...inC(data),
        place: data.place,
        former_place: data.formerPlace,
        former_session_id: data.formerSessionId,
        distance_km: data.distanceKm,
        elapsed_seconds: data.elapsedSeconds,
      }),
    },
  },
});

/** See `assessSignIn`. */
const reasons = z.array(z.enum(['new_country', 'new_device', 'after_failures', 'impossible_travel'])).readonly();

export type RiskReason = z.output<typeof reasons>[number];

export const highRisk = defineEvent({
  type: 'security.high_risk',
  data: z.strictObject({ ...about, reasons }),
  example: { ...example, reasons: ['new_country', 'new_device'] },
  about: (data) => resources(data),
  becomes: {
    c: {
      name: 'security.high_risk',
      schema: z.strictObject({ ...aboutInC, reasons }),
      data: (data) => ({ ...inC(data), reasons: data.reasons }),
    },
  },
});
