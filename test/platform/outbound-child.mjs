// Two requests on kept connections, as `node outbound-child.mjs URL [CERTIFICATE KEY]`: it says their statuses.
import { readFileSync } from 'node:fs';
import { OutboundClient, OutboundGuard } from '../../dist/src/platform/index.js';

const [url, certificate, key] = process.argv.slice(2);
const identity = certificate && { certificate: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') };
const client = new OutboundClient(new OutboundGuard(true));
const request = { url, timeoutMs: 5000, bodyMax: 100, ...(identity && { identity }) };
const first = await client.request(request);
const second = await client.request(request);
console.log(first.status, second.status);
client.close();
