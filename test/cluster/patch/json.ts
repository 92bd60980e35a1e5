import { goKind, misfit } from '../go-json.ts';
import { equal, type Fields, isFields } from '../objects/object.ts';
import { badRequest, unprocessable } from '../status.ts';

/** One operation of RFC 6902, as it came in. */
interface Operation {
  readonly op?: unknown;
  readonly path?: unknown;
  readonly from?: unknown;
  readonly value?: unknown;
}

const unescaped = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');

/** The member names of a JSON pointer; the empty pointer is the whole document. As the server has it, what stands before the first slash does not count. */
function segmentsOf(pointer: unknown): string[] {
  if (pointer === '') return [];
  if (typeof pointer !== 'string' || !pointer.includes('/')) throw unprocessable();
  return pointer.split('/').slice(1).map(unescaped);
}

/** The index a segment names; negative ones count from the end, as the server's library has it. */
function indexOf(segment: string, length: number): number {
  if (!/^[+-]?\d+$/.test(segment)) throw unprocessable();
  const index = Number(segment);
  const actual = index < 0 ? index + length : index;
  if (actual < 0) throw unprocessable();
  return actual;
}

const absent = Symbol('absent');

function memberOf(container: unknown, segment: string): unknown {
  if (Array.isArray(container)) {
    const index = indexOf(segment, container.length);
    return index < container.length ? container[index] : absent;
  }
  if (!isFields(container)) throw unprocessable();
  return Object.hasOwn(container, segment) ? container[segment] : absent;
}

/** The value at a path; `absent` when only the last member is missing, an error when more is. */
function find(document: unknown, segments: readonly string[]): unknown {
  let value = document;
  for (const [depth, segment] of segments.entries()) {
    value = memberOf(value, segment);
    if (value === absent && depth < segments.length - 1) throw unprocessable();
  }
  return value;
}

type Container = unknown[] | Fields;

/** Sets a member, also one that is called `__proto__`. */
function set(container: Container, segment: string, value: unknown): void {
  if (Array.isArray(container)) container[indexOf(segment, container.length)] = value;
  else Object.defineProperty(container, segment, { value, writable: true, enumerable: true, configurable: true });
}

function insert(container: Container, segment: string, value: unknown): void {
  if (!Array.isArray(container)) {
    set(container, segment, value);
    return;
  }
  const index = segment === '-' ? container.length : indexOf(segment, container.length + 1);
  if (index > container.length) throw unprocessable();
  container.splice(index, 0, value);
}

function remove(container: Container, segment: string): void {
  if (memberOf(container, segment) === absent) throw unprocessable();
  if (Array.isArray(container)) container.splice(indexOf(segment, container.length), 1);
  else delete container[segment];
}

/** What stands at a path that is not the whole document. */
function taken(document: unknown, from: unknown): unknown {
  const segments = segmentsOf(from);
  if (segments.length === 0) throw unprocessable();
  return find(document, segments);
}

/** A member that is not there is copied as null; an item must be there. */
function copied(document: unknown, from: unknown): unknown {
  const value = taken(document, from);
  if (value !== absent) return value;
  if (Array.isArray(find(document, segmentsOf(from).slice(0, -1)))) throw unprocessable();
  return null;
}

/** A document that is changed in place: each list and object is copied when it is changed for the first time, and shared with the first document until then. */
class PatchedDocument {
  root: unknown;
  readonly #own = new WeakSet<object>();

  constructor(root: unknown) {
    this.root = root;
  }

  /** A container that may be changed: itself, or a copy. */
  #owned(value: unknown): Container {
    if (!Array.isArray(value) && !isFields(value)) throw unprocessable();
    if (this.#own.has(value)) return value;
    const copy = Array.isArray(value) ? [...value] : { ...value };
    this.#own.add(copy);
    return copy;
  }

  /** What the last segment is a member of, to be changed. Nothing can be put in the place of the whole document. */
  containerOf(segments: readonly string[]): readonly [Container, string] {
    const last = segments.at(-1);
    if (last === undefined) throw unprocessable();
    let container = this.#owned(this.root);
    this.root = container;
    for (const segment of segments.slice(0, -1)) {
      const member = this.#owned(memberOf(container, segment));
      set(container, segment, member);
      container = member;
    }
    return [container, last];
  }
}

const operations: Readonly<Record<string, (document: PatchedDocument, operation: Operation) => void>> = {
  add: (document, { path, value }) => insert(...document.containerOf(segmentsOf(path)), value ?? null),
  remove: (document, { path }) => remove(...document.containerOf(segmentsOf(path))),
  /** A member that is not there is added, as by the server; an index must be there. */
  replace(document, { path, value = null }) {
    const segments = segmentsOf(path);
    if (segments.length === 0) {
      document.root = value;
      return;
    }
    const [container, last] = document.containerOf(segments);
    if (Array.isArray(container) && memberOf(container, last) === absent) throw unprocessable();
    set(container, last, value);
  },
  move(document, { from, path }) {
    const value = taken(document.root, from);
    remove(...document.containerOf(segmentsOf(from)));
    insert(...document.containerOf(segmentsOf(path)), value);
  },
  copy(document, { from, path }) {
    insert(...document.containerOf(segmentsOf(path)), structuredClone(copied(document.root, from)));
  },
  test({ root }, { path, value = null }) {
    const found = find(root, segmentsOf(path));
    if (!equal(found === absent ? null : found, value)) throw unprocessable();
  },
};

/** How much the copies of one patch may come to, in bytes of JSON. */
const mostCopied = 3 * 1024 * 1024;

/** How many operations the server takes. */
export const mostOperations = 10_000;

const textMembers = ['op', 'path', 'from'] as const;

/** Throws the server's 400 when an operation's own members are no texts. */
function checkOperation(operation: unknown): void {
  if (operation === null) return;
  if (!isFields(operation)) throw badRequest(`error decoding patch: ${misfit(operation, 'handlers.jsonPatchOp')}`);
  for (const name of textMembers) {
    const member = operation[name];
    if (member === undefined || member === null || typeof member === 'string') continue;
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${goKind(member)} into Go struct field jsonPatchOp.${name} of type string`,
    );
  }
}

/** The operations of a JSON patch body: a list, or as in Go null for none. Throws the server's 400. */
export function operationsOf(patch: unknown): readonly Operation[] {
  if (patch === null) return [];
  if (!Array.isArray(patch)) throw badRequest(`error decoding patch: ${misfit(patch, '[]handlers.jsonPatchOp')}`);
  for (const operation of patch) checkOperation(operation);
  return patch;
}

const known = new Set(['op', 'path', 'from', 'value']);

/** What a JSON patch has that means nothing: members of operations that there are not, and repeated ones. */
export const oddPartsOf = (operations: readonly Operation[], duplicates: readonly string[]): readonly string[] => [
  ...operations.flatMap((operation, index) =>
    Object.keys(operation ?? {})
      .filter((name) => !known.has(name))
      .map((name) => `json patch unknown field ${JSON.stringify(`[${index}].${name}`)}`),
  ),
  ...duplicates.map((path) => `json patch duplicate field ${JSON.stringify(path)}`),
];

/** RFC 6902 as the API server applies it. The document stays as it is; what no operation touches is shared. Throws 422. */
export function applyJsonPatch(document: unknown, patch: readonly Operation[]): unknown {
  const result = new PatchedDocument(document);
  let bytes = 0;
  for (const operation of patch) {
    const name = isFields(operation) ? String(operation.op) : '';
    if (!Object.hasOwn(operations, name)) throw unprocessable();
    if (name === 'copy') {
      bytes += Buffer.byteLength(JSON.stringify(copied(result.root, operation.from)));
      if (bytes > mostCopied) throw unprocessable();
    }
    operations[name]!(result, operation);
  }
  return result.root;
}
