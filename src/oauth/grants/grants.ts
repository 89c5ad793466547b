import { clientCredentials } from './client-credentials.ts';
import type { Grant } from './grant.ts';

/** Every grant that the token endpoint knows, by `grant_type`. What is not here is neither announced nor accepted. */
export const grants: ReadonlyMap<string, Grant> = new Map([clientCredentials].map((grant) => [grant.type, grant]));
