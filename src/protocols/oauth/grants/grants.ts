import { authorizationCode } from '../codes/code-grant.ts';
import { deviceCode } from '../device/device-grant.ts';
import { jwtBearer } from './assertions/jwt-bearer.ts';
import { clientCredentials } from './client-credentials.ts';
import type { Grant } from './grant.ts';
import { refreshToken } from './refresh-token.ts';
import { tokenExchange } from './token-exchange.ts';

const all: readonly Grant[] = [
  authorizationCode,
  clientCredentials,
  refreshToken,
  tokenExchange,
  deviceCode,
  jwtBearer,
];

/** Every grant that the token endpoint knows, by `grant_type`. What is not here is neither announced nor accepted. */
export const grants: ReadonlyMap<string, Grant> = new Map(all.map((grant) => [grant.type, grant]));
