import { afterEach, beforeEach } from 'vitest';
import { FaultyStream, SharedMessages } from './faulty-stream.ts';
import { StreamNode } from './node.ts';

type NodeOptions = NonNullable<Parameters<typeof StreamNode.open>[1]>;

/** Nodes of one stream, which each test begins anew and which end with it. */
export interface NodesOfTests {
  shared: SharedMessages;
  nodes: StreamNode[];
  follow(stream?: FaultyStream, options?: NodeOptions): Promise<StreamNode>;
}

/** To be called where the tests of a file are described. */
export function nodesOfTests(defaults: NodeOptions = {}): NodesOfTests {
  const all: NodesOfTests = {
    shared: new SharedMessages(),
    nodes: [],
    async follow(stream = new FaultyStream(all.shared), options = {}) {
      const node = await StreamNode.open(stream, { ...defaults, ...options });
      all.nodes.push(node);
      return node;
    },
  };
  beforeEach(() => {
    all.shared = new SharedMessages();
    all.nodes = [];
  });
  afterEach(async () => {
    for (const node of all.nodes) await node.remove();
  });
  return all;
}
