import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { repositoryRoot } from '../../architecture/source-tree.ts';
import { type Container, imageCommand, imageEnvironment, serverCommand } from './container.ts';

interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export interface ComposeOptions {
  /** The program `nats-server`. */
  readonly nats: string;
  /** What stands in `cluster.env`. */
  readonly variables: Readonly<Record<string, string>>;
  /** In place of `/data` of a service. */
  readonly dataOf: (host: string) => string;
}

const folder = join(repositoryRoot, 'config/cluster');

/** The servers, the nodes and the proxy, in this order. */
export function containersOf({ nats, variables, dataOf }: ComposeOptions): Container[] {
  const { services } = parse(readFileSync(join(folder, 'compose.yaml'), 'utf8'), { merge: true }) as {
    readonly services: Readonly<Record<string, ComposeService>>;
  };
  return Object.entries(services).map(([host, { image, command: parameters = [], environment = {} }]) => {
    const data = dataOf(host);
    const written = parameters.map((text) => expanded(text, variables));
    const set = Object.entries(environment).map(([name, text]) => [name, expanded(text, variables)]);
    const started = image.startsWith('nats')
      ? { command: serverCommand(nats, written, data), own: {} }
      : image === 'relata'
        ? { command: [...imageCommand(), ...written], own: { ...imageEnvironment(), RELATA_DATA_DIR: data } }
        : { command: proxyCommand(data), own: {} };
    return { host, command: started.command, environment: { ...started.own, ...Object.fromEntries(set) } };
  });
}

/** Names of the test stand in a file, of which no server tells; and a test may open fewer files than a container. */
function proxyCommand(data: string): string[] {
  const shipped = readFileSync(join(folder, 'haproxy.cfg'), 'utf8');
  const file = join(data, 'haproxy.cfg');
  writeFileSync(file, shipped.replace('resolvers dns init-addr', 'init-addr').replace(/maxconn \d+/, 'maxconn 1000'));
  return ['haproxy', '-f', file];
}

/** `${NAME}`, `${NAME:-default}` and `${NAME:?what to do}`. */
function expanded(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind = '?', more = '') => {
    const value = variables[name] ?? (kind === '-' ? (more as string) : undefined);
    if (value === undefined) throw new Error(`${name}: ${more}`);
    return value;
  });
}
