/** Field sets in the form of FieldsV1, and set operations on them. */

/**
 * Field set in wire form (FieldsV1), a tree of `f:` fields, `k:` list items by key, `v:` by value and `i:` by index.
 * Leaves are members, and so are nodes with a `.`; other nodes only lead to members.
 * Immutable; parts are shared.
 */
export interface FieldSet {
  readonly [element: string]: FieldSet;
}

/** Empty set; below the root, a member without children. */
export const leaf: FieldSet = Object.freeze({});

type Building = Record<string, FieldSet>;

const self = '.';

/** Reports whether a set is empty, or a node below the root has no children. */
export function isBare(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

/** Reports whether a node below the root is a member itself. */
export const isMember = (node: FieldSet | undefined): boolean =>
  node !== undefined && (node[self] !== undefined || isBare(node));

/** Returns a node below the root; undefined when it is not a member and has no children. */
export function nodeOf(member: boolean, children: FieldSet | undefined): FieldSet | undefined {
  if (children === undefined || isBare(children)) return member ? leaf : undefined;
  return member ? { [self]: leaf, ...children } : children;
}

/** Yields the elements below a node. */
export function* elementsOf(node: FieldSet): Generator<string> {
  for (const element in node) if (element !== self) yield element;
}

/** Decides whether a field is kept, given its membership in both sets. */
type Keep = (inA: boolean, inB: boolean) => boolean;

function combined(a: FieldSet | undefined, b: FieldSet | undefined, keep: Keep): FieldSet | undefined {
  if (a === undefined || b === undefined) {
    const given = a ?? b;
    return given !== undefined && keep(a !== undefined, b !== undefined) ? given : undefined;
  }
  return nodeOf(keep(isMember(a), isMember(b)), combinedBelow(a, b, keep));
}

function combinedBelow(a: FieldSet, b: FieldSet, keep: Keep): FieldSet {
  const children: Building = {};
  for (const element in a) {
    const child = element === self ? undefined : combined(a[element], b[element], keep);
    if (child !== undefined) children[element] = child;
  }
  if (!keep(false, true)) return children;
  for (const element in b) if (element !== self && a[element] === undefined) children[element] = b[element]!;
  return children;
}

/** Returns the union of two sets. */
export const union = (a: FieldSet, b: FieldSet): FieldSet =>
  isBare(a) ? b : isBare(b) || a === b ? a : combinedBelow(a, b, (inA, inB) => inA || inB);

/** Returns the intersection of two sets. */
export const intersection = (a: FieldSet, b: FieldSet): FieldSet =>
  isBare(a) || isBare(b) ? leaf : combinedBelow(a, b, (inA, inB) => inA && inB);

/** Returns the members of the first set that are not in the second; children of removed members stay. */
export const difference = (a: FieldSet, b: FieldSet): FieldSet =>
  isBare(b) ? a : combinedBelow(a, b, (inA, inB) => inA && !inB);

/** Returns the first set without the members of the second and their children. */
export function differenceBelow(a: FieldSet, b: FieldSet): FieldSet {
  if (isBare(b)) return a;
  const children: Building = {};
  for (const element of elementsOf(a)) {
    const node = a[element]!;
    const taken = b[element];
    if (taken === undefined) children[element] = node;
    else if (!isMember(taken)) {
      const child = isBare(node) ? node : nodeOf(isMember(node), differenceBelow(node, taken));
      if (child !== undefined) children[element] = child;
    }
  }
  return children;
}

/** Reports whether two sets are equal. */
export function isSameSet(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  const elements = Object.keys(a);
  return (
    elements.length === Object.keys(b).length &&
    elements.every((element) => b[element] !== undefined && isSameSet(a[element]!, b[element]))
  );
}

/** Yields every path of a set: at each level members first, then their children. */
export function* pathsOf(set: FieldSet, prefix: readonly string[] = []): Generator<readonly string[]> {
  for (const element of elementsOf(set)) if (isMember(set[element])) yield [...prefix, element];
  for (const element of elementsOf(set)) yield* pathsOf(set[element]!, [...prefix, element]);
}

/** Builds a set from paths. */
export function setOfPaths(paths: Iterable<readonly string[]>): FieldSet {
  let set = leaf;
  for (const path of paths) {
    const single = path.reduceRight<FieldSet | undefined>(
      (below, element) => ({ [element]: below ?? leaf }),
      undefined,
    );
    if (single !== undefined) set = union(set, single);
  }
  return set;
}

/** Reports whether a path is a member of a set. */
export function hasPath(set: FieldSet, path: readonly string[]): boolean {
  let node: FieldSet | undefined = set;
  for (const element of path) node = node?.[element];
  return path.length > 0 && isMember(node);
}
