/**
 * Many binary trees of one size, their nodes numbered through: 255 nodes are eight levels, 15 are four, and half of the
 * nodes are leaves. The last tree may be cut short.
 */
export class Forest {
  readonly nodes: number;
  readonly treeSize: number;

  constructor(nodes: number, treeSize: number) {
    this.nodes = nodes;
    this.treeSize = treeSize;
  }

  get trees(): number {
    return Math.ceil(this.nodes / this.treeSize);
  }

  /** -1 for a root. */
  parent(node: number): number {
    const place = node % this.treeSize;
    return place === 0 ? -1 : node - place + ((place - 1) >> 1);
  }

  /** The first or second (0 or 1) child; -1 where there is none. */
  child(node: number, which: number): number {
    const place = node % this.treeSize;
    const child = 2 * place + 1 + which;
    return child < this.treeSize && node - place + child < this.nodes ? node - place + child : -1;
  }

  tree(node: number): number {
    return Math.floor(node / this.treeSize);
  }
}
