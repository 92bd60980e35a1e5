/**
 * Returns a cycle that leads from a node back to itself, with the node first and last; undefined when there is none. Takes time linear in the number
 * of edges, and no more stack for a longer path.
 */
export function cycleThrough(
  start: string,
  edgesOf: (node: string) => readonly string[],
): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop())
    for (const next of edgesOf(node)) {
      if (next === start) return [...pathTo(node, cameFrom), start];
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, node);
      open.push(next);
    }
  return undefined;
}

/** Returns the nodes on the way to a node, itself last. */
function pathTo(end: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const path: string[] = [];
  for (let node: string | undefined = end; node !== undefined; node = cameFrom.get(node)) path.push(node);
  return path.reverse();
}
