/** Layout of the condition graph: each condition is to the right of its predecessors. */

/** Node of the graph. */
export interface GraphNode {
  readonly id: string;
  /** Nodes before it; unknown ones are ignored. */
  readonly after: readonly string[];
}

/** Place of a node, in cells. */
export interface NodePosition {
  readonly id: string;
  readonly column: number;
  readonly row: number;
}

/** Placed graph. */
export interface GraphLayout {
  readonly positions: readonly NodePosition[];
  readonly columns: number;
  readonly rows: number;
  /** Edges of the transitive reduction. */
  readonly edges: readonly (readonly [from: string, to: string])[];
}

/** Returns the column of each node: one more than the largest of those before it. Nodes in a cycle get one, too. */
function columnsOf(nodes: readonly GraphNode[]): ReadonlyMap<string, number> {
  const known = new Map(nodes.map((node) => [node.id, node]));
  const columns = new Map<string, number>();
  const visit = (id: string, ancestors: ReadonlySet<string>): number => {
    const done = columns.get(id);
    if (done !== undefined) return done;
    const before = (known.get(id)?.after ?? []).filter((other) => known.has(other) && !ancestors.has(other));
    const path = new Set([...ancestors, id]);
    const column = Math.max(-1, ...before.map((other) => visit(other, path))) + 1;
    columns.set(id, column);
    return column;
  };
  for (const { id } of nodes) visit(id, new Set([id]));
  return columns;
}

/** Returns the transitive reduction: the edges without those implied by longer paths. */
function directEdges(nodes: readonly GraphNode[]): GraphLayout['edges'] {
  const before = new Map(nodes.map(({ id, after }) => [id, new Set(after)]));
  const reaches = (from: string, to: string, visited = new Set<string>()): boolean => {
    if (from === to) return true;
    if (visited.has(from)) return false;
    visited.add(from);
    return [...(before.get(from) ?? [])].some((next) => reaches(next, to, visited));
  };
  return nodes.flatMap(({ id, after }) => {
    const here = [...new Set(after)].filter((other) => before.has(other) && other !== id);
    return here
      .filter((from) => !here.some((via) => via !== from && reaches(via, from) && !reaches(from, via)))
      .map((from) => [from, id] as const);
  });
}

/** Places the nodes, within a column near their predecessors. Pure. */
export function layoutGraph(nodes: readonly GraphNode[]): GraphLayout {
  const columns = columnsOf(nodes);
  const byColumn = Map.groupBy(nodes, ({ id }) => columns.get(id) ?? 0);
  const rows = new Map<string, number>();
  const preferred = ({ after }: GraphNode): number => {
    const known = after.flatMap((other) => rows.get(other) ?? []);
    return known.length === 0 ? 0 : known.reduce((sum, row) => sum + row, 0) / known.length;
  };
  const positions = [...byColumn.keys()]
    .sort((one, other) => one - other)
    .flatMap((column) =>
      (byColumn.get(column) ?? [])
        .map((node, index) => ({ node, key: preferred(node), index }))
        .sort((one, other) => one.key - other.key || one.index - other.index)
        .map(({ node: { id } }, row) => {
          rows.set(id, row);
          return { id, column, row };
        }),
    );
  return {
    positions,
    columns: Math.max(0, ...positions.map(({ column }) => column + 1)),
    rows: Math.max(0, ...positions.map(({ row }) => row + 1)),
    edges: directEdges(nodes),
  };
}
