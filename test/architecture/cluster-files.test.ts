/** The files that start a cluster: read by the rules of those who run them, and of the settings that there are. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { environmentSettings } from '../../src/platform/config/environment.ts';
import { PythonTools } from '../clients/python-tools.ts';
import { repositoryRoot } from './source-tree.ts';

const folder = join(repositoryRoot, 'config/cluster');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

interface Variable {
  readonly name: string;
  readonly value?: string;
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly serviceName?: string;
    readonly template?: {
      readonly spec: {
        readonly containers: readonly {
          readonly image: string;
          readonly args?: readonly string[];
          readonly env: readonly Variable[];
        }[];
      };
    };
  };
}

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly image: string;
        readonly command?: readonly string[];
        readonly environment?: Readonly<Record<string, string>>;
        readonly volumes?: readonly string[];
        readonly configs?: readonly { readonly source: string }[];
      }
    >
  >;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly configs: Readonly<Record<string, { readonly file: string }>>;
}

const compose = parse(read('compose.yaml'), { merge: true }) as Compose;
const { resources, configMapGenerator } = parse(read('kubernetes/kustomization.yaml')) as {
  readonly resources: readonly string[];
  readonly configMapGenerator: readonly { readonly name: string; readonly files: readonly string[] }[];
};
const manifests = resources.flatMap((name) =>
  parseAllDocuments(read(`kubernetes/${name}`)).map((document) => document.toJS() as Manifest),
);
const isWithout = (value: string) => value.replace(/\$\(\w+\)|\$\{\w+(:[-?][^}]*)?\}/g, 'x');

/** As a variable has its value once what it names is put in. Keys are long enough. */
function settingsOf(variables: readonly Variable[]): ReturnType<typeof environmentSettings> {
  const own = variables.filter(({ name }) => name.startsWith('RELATA_'));
  return environmentSettings(Object.fromEntries(own.map(({ name, value }) => [name, isWithout(value ?? 'x')])));
}

describe('the Compose file of a cluster', () => {
  const nodes = Object.entries(compose.services).filter(([name]) => name.startsWith('relata-'));

  it('starts nodes with settings that there are', () => {
    expect(nodes.map(([name]) => name)).toEqual(['relata-0', 'relata-1', 'relata-2']);
    for (const [, { environment = {} }] of nodes) {
      const variables = Object.entries(environment).map(([name, value]) => ({ name, value }));
      expect(settingsOf(variables)).toMatchObject({ problems: [], warnings: [] });
    }
  });

  it('gives every server and node a volume of its own, and every file that it names', () => {
    const mounted = Object.values(compose.services).flatMap(({ volumes = [] }) => volumes.map((v) => v.split(':')[0]));
    expect(mounted.toSorted()).toEqual(Object.keys(compose.volumes).toSorted());
    const configured = Object.values(compose.services).flatMap(({ configs = [] }) =>
      configs.map(({ source }) => source),
    );
    expect(new Set(configured)).toEqual(new Set(Object.keys(compose.configs)));
    for (const { file } of Object.values(compose.configs)) expect(read(file)).not.toBe('');
  });

  it('names the servers and nodes that there are', () => {
    const names = Object.keys(compose.services);
    const text = JSON.stringify(compose.services);
    const hosts = [...text.matchAll(/[@/]((?:nats|relata)-\d):\d+/g)].map(([, host]) => host);
    const proxied = [...read('haproxy.cfg').matchAll(/server \S+ (\S+):8080/g)].map(([, host]) => host);
    expect(new Set(hosts)).toEqual(new Set(names.filter((name) => name.startsWith('nats-'))));
    expect(proxied).toEqual(nodes.map(([name]) => name));
  });
});

describe('the manifests for Kubernetes', () => {
  it('are all that stands in their folder', () => {
    const files = readdirSync(join(folder, 'kubernetes'));
    const named = [...resources, ...configMapGenerator.flatMap((each) => each.files), 'kustomization.yaml'];
    expect(named.toSorted()).toEqual(files.toSorted());
  });

  it('start nodes with settings that there are, and servers and nodes by their own names', () => {
    const sets = manifests.filter(({ kind }) => kind === 'StatefulSet');
    expect(sets.map(({ metadata }) => metadata.name)).toEqual(['nats', 'relata']);
    for (const { spec } of sets) {
      const service = manifests.find(({ kind, metadata }) => kind === 'Service' && metadata.name === spec.serviceName);
      expect(service?.spec).toMatchObject({ clusterIP: 'None' });
    }
    const [nats, relata] = sets.map(({ spec }) => spec.template?.spec.containers[0]);
    expect(settingsOf(relata?.env ?? [])).toMatchObject({ problems: [], warnings: [] });
    const addresses = JSON.stringify([nats?.args, relata?.env]).match(/nats-\d\.nats:\d+/g) ?? [];
    const ports = (port: number) => [0, 1, 2].map((n) => `nats-${n}.nats:${port}`);
    expect(addresses).toEqual([...ports(6222), ...ports(4222), ...ports(8222)]);
  });

  it('fit the schemas of the versions in use', { timeout: 240_000 }, async (context) => {
    const tools = await PythonTools.ready(['kubernetes-validate==1.37.0']);
    if (tools.missing !== undefined) return context.skip(tools.missing);
    for (const version of ['1.31', '1.37']) {
      for (const name of resources) {
        const file = join(folder, 'kubernetes', name);
        const parameters = ['-m', 'kubernetes_validate', '-k', version, '--strict', file];
        const { code, output, errors } = await tools.run(parameters);
        expect(output + errors, `${name} for ${version}`).not.toMatch(/ERROR|Traceback/);
        expect(code).toBe(0);
      }
    }
    const broken =
      "import kubernetes_validate as k\nk.validate({'apiVersion':'v1','kind':'Service','spec':{'port':1}},'1.37',strict=True)";
    expect((await tools.run(['-c', broken])).code).not.toBe(0);
  });
});

it('has the servers flush what they acknowledge, and ask for a password', () => {
  const text = read('kubernetes/nats.conf');
  expect(text).toMatch(/^ {2}sync_interval: always$/m);
  expect(text).toMatch(/^ {2}max_file_store: \d+GB$/m);
  expect(text.match(/password: \$\w+/g)).toEqual(['password: $NATS_PASSWORD', 'password: $NATS_ROUTE_PASSWORD']);
});
