/**
 * Returns a cycle that leads from a node back to itself, with the node first and last; undefined when there is none. Takes time linear in the number
 * of edges.
 */
export function cycleThrough(
  start: string,
  edgesOf: (node: string) => readonly string[],
): readonly string[] | undefined {
  const seen = new Set<string>();
  const pathFrom = (node: string): readonly string[] | undefined => {
    for (const next of edgesOf(node)) {
      if (next === start) return [node, start];
      if (seen.has(next)) continue;
      seen.add(next);
      const path = pathFrom(next);
      if (path !== undefined) return [node, ...path];
    }
    return undefined;
  };
  return pathFrom(start);
}
