/**
 * A set of fields in the form of the wire (FieldsV1): a tree whose members are `f:` a field, `k:` an item of a list by its keys, `v:` an item by its value
 * or `i:` by its place. A leaf, and what has the member `.`, is in the set; everything else only leads there. Never changed once made; parts are shared.
 */
export interface FieldSet {
  readonly [element: string]: FieldSet;
}

/** Nothing, as a set; below the root, a field that is in the set and has nothing below it. */
export const leaf: FieldSet = Object.freeze({});

type Building = Record<string, FieldSet>;

const self = '.';

/** Whether a set has nothing in it; below the root: whether nothing is below a field. */
export function isBare(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

/** Whether a node below the root is in the set itself. */
export const isMember = (node: FieldSet | undefined): boolean =>
  node !== undefined && (node[self] !== undefined || isBare(node));

/** A node below the root; undefined when neither it nor anything below is in the set. */
export function nodeOf(member: boolean, children: FieldSet | undefined): FieldSet | undefined {
  if (children === undefined || isBare(children)) return member ? leaf : undefined;
  return member ? { [self]: leaf, ...children } : children;
}

/** The elements below a node. */
export function* elementsOf(node: FieldSet): Generator<string> {
  for (const element in node) if (element !== self) yield element;
}

/** Whether a field is kept that the first set has, or has not, and the second. */
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

/** What is in either set. */
export const union = (a: FieldSet, b: FieldSet): FieldSet =>
  isBare(a) ? b : isBare(b) || a === b ? a : combinedBelow(a, b, (inA, inB) => inA || inB);

/** What is in both sets. */
export const intersection = (a: FieldSet, b: FieldSet): FieldSet =>
  isBare(a) || isBare(b) ? leaf : combinedBelow(a, b, (inA, inB) => inA && inB);

/** What is in the first set only; fields below what is taken away stay. */
export const difference = (a: FieldSet, b: FieldSet): FieldSet =>
  isBare(b) ? a : combinedBelow(a, b, (inA, inB) => inA && !inB);

/** What is in the first set, without what is in the second and everything below that. */
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

/** Whether two sets have the same fields. */
export function isSameSet(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  const elements = Object.keys(a);
  return (
    elements.length === Object.keys(b).length &&
    elements.every((element) => b[element] !== undefined && isSameSet(a[element]!, b[element]))
  );
}

/** Every path in a set: at each place its members first, then what is below them. */
export function* pathsOf(set: FieldSet, prefix: readonly string[] = []): Generator<readonly string[]> {
  for (const element of elementsOf(set)) if (isMember(set[element])) yield [...prefix, element];
  for (const element of elementsOf(set)) yield* pathsOf(set[element]!, [...prefix, element]);
}

/** The set of the given paths. */
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

/** Whether a path is in a set. */
export function hasPath(set: FieldSet, path: readonly string[]): boolean {
  let node: FieldSet | undefined = set;
  for (const element of path) node = node?.[element];
  return path.length > 0 && isMember(node);
}
