import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { repositoryRoot } from '../../architecture/source-tree.ts';
import { type Container, imageCommand, imageEnvironment, serverCommand } from './container.ts';

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: { readonly fieldPath: string };
    readonly secretKeyRef?: { readonly name: string; readonly key: string };
  };
}

export interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly failureThreshold?: number;
}

interface PodContainer {
  readonly args?: readonly string[];
  readonly env: readonly Variable[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
}

/** A pod of a StatefulSet. */
export interface Pod extends Pick<PodContainer, 'startupProbe' | 'readinessProbe' | 'livenessProbe'> {
  readonly container: Container;
  readonly ports: Readonly<Record<string, number>>;
  readonly terminationGracePeriodSeconds: number;
}

interface StatefulSet {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly serviceName: string;
    readonly replicas: number;
    readonly template: {
      readonly spec: { readonly containers: readonly PodContainer[]; readonly terminationGracePeriodSeconds: number };
    };
  };
}

export interface PodOptions {
  /** The program `nats-server`. */
  readonly nats: string;
  /** Values of the Secret `relata`, by their keys. */
  readonly secret: Readonly<Record<string, string>>;
  /** In place of `/data` of a pod. */
  readonly dataOf: (host: string) => string;
}

const folder = join(repositoryRoot, 'config/cluster/kubernetes');

/** The pods that a manifest makes. */
export function podsOf(manifest: 'nats.yaml' | 'relata.yaml', options: PodOptions): Pod[] {
  const documents = parseAllDocuments(readFileSync(join(folder, manifest), 'utf8'));
  const sets = documents.map((document) => document.toJS() as StatefulSet).filter(({ kind }) => kind === 'StatefulSet');
  return sets.flatMap((set) => Array.from({ length: set.spec.replicas }, (_, n) => podOf(set, n, options)));
}

function podOf({ metadata, spec }: StatefulSet, n: number, { nats, secret, dataOf }: PodOptions): Pod {
  const { containers, terminationGracePeriodSeconds } = spec.template.spec;
  const { args = [], env, ports, ...probes } = containers[0] as PodContainer; // each has one
  const name = `${metadata.name}-${n}`;
  const host = `${name}.${spec.serviceName}`;
  const environment = environmentOf(env, name, secret);
  const data = dataOf(host);
  const written = args.map((text) => expanded(text, environment));
  const container =
    metadata.name === 'nats'
      ? { host, command: serverCommand(nats, written, data), environment }
      : {
          host,
          command: [...imageCommand(), ...written],
          environment: { ...imageEnvironment(), ...environment, RELATA_DATA_DIR: data },
        };
  return {
    ...probes,
    container,
    ports: Object.fromEntries(ports.map((port) => [port.name, port.containerPort])),
    terminationGracePeriodSeconds,
  };
}

/** In their order: what a value names stands before it. */
function environmentOf(variables: readonly Variable[], pod: string, secret: PodOptions['secret']) {
  const environment: Record<string, string> = {};
  for (const { name, value, valueFrom } of variables) {
    const key = valueFrom?.secretKeyRef?.key;
    const given = valueFrom?.fieldRef?.fieldPath === 'metadata.name' ? pod : secret[key ?? ''];
    const text = value === undefined ? given : expanded(value, environment);
    if (text === undefined) throw new Error(`${pod} has no value for ${name}`);
    environment[name] = text;
  }
  return environment;
}

/** As Kubernetes does: what is not known stays as it stands. */
function expanded(text: string, environment: Readonly<Record<string, string>>): string {
  return text.replace(/\$\((\w+)\)/g, (whole, name: string) => environment[name] ?? whole);
}
