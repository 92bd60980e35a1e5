/** Applies JSON patches (RFC 6902). */

import { depthOf } from '../depth.ts';
import { goKind, maxLevels, unmarshalError } from '../go/go-json.ts';
import { equal, type Fields, isFields } from '../object.ts';
import { badRequest, StatusError, unprocessable } from '../status.ts';
import { segmentsOf } from './json-pointer.ts';

/** Operation of RFC 6902, as received. */
interface Operation {
  readonly op?: unknown;
  readonly path?: unknown;
  readonly from?: unknown;
  readonly value?: unknown;
}

/** Returns the index that a segment names; negative ones count from the end, as in the server's library. */
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

/** Returns the value at a path; `absent` when only the last member is missing. Throws 422 when a parent is missing. */
function find(document: unknown, segments: readonly string[]): unknown {
  let value = document;
  for (const [depth, segment] of segments.entries()) {
    value = memberOf(value, segment);
    if (value === absent && depth < segments.length - 1) throw unprocessable();
  }
  return value;
}

type Container = unknown[] | Fields;

/** Sets a member, including one named `__proto__`. */
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

/** Returns the value at a path, which must not be the whole document. */
function valueToMove(document: unknown, from: unknown): unknown {
  const segments = segmentsOf(from);
  if (segments.length === 0) throw unprocessable();
  return find(document, segments);
}

/** Returns the value to copy; an absent member is copied as null, an absent item is an error. */
function valueToCopy(document: unknown, from: unknown): unknown {
  const value = valueToMove(document, from);
  if (value !== absent) return value;
  if (Array.isArray(find(document, segmentsOf(from).slice(0, -1)))) throw unprocessable();
  return null;
}

/** Limit of the values that one patch inserts, with all that is in them, each time that they are moved. */
const maxVisited = 4_000_000;

/** Document that is patched in place: containers are copied on their first change and shared with the original until then. */
class PatchedDocument {
  root: unknown;
  readonly #own = new WeakSet<object>();
  #visited = 0;

  constructor(root: unknown) {
    this.root = root;
  }

  /** Checks that a value may be nested at a path. Throws the server's 422. */
  checkDepth(segments: readonly string[], value: unknown): void {
    const { levels, visited } = depthOf(value, maxLevels - segments.length);
    this.#visited += visited;
    if (segments.length + levels > maxLevels || this.#visited > maxVisited) throw unprocessable();
  }

  /** Inserts a value. Throws the server's 422 where it would be nested too deeply. */
  insert(path: unknown, value: unknown): void {
    const segments = segmentsOf(path);
    this.checkDepth(segments, value);
    insert(...this.containerOf(segments), value);
  }

  /** Returns a container that may be changed: itself, or a copy. */
  #owned(value: unknown): Container {
    if (!Array.isArray(value) && !isFields(value)) throw unprocessable();
    if (this.#own.has(value)) return value;
    const copy = Array.isArray(value) ? [...value] : { ...value };
    this.#own.add(copy);
    return copy;
  }

  /** Returns the writable parent and name of the last segment. The whole document has no parent. */
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
  add: (document, { path, value }) => document.insert(path, value ?? null),
  remove: (document, { path }) => remove(...document.containerOf(segmentsOf(path))),
  /** As on the server, replacing an absent member adds it; an index must exist. */
  replace(document, { path, value = null }) {
    const segments = segmentsOf(path);
    document.checkDepth(segments, value);
    if (segments.length === 0) {
      document.root = value;
      return;
    }
    const [container, last] = document.containerOf(segments);
    if (Array.isArray(container) && memberOf(container, last) === absent) throw unprocessable();
    set(container, last, value);
  },
  move(document, { from, path }) {
    const value = valueToMove(document.root, from);
    remove(...document.containerOf(segmentsOf(from)));
    document.insert(path, value);
  },
  copy(document, { from, path }) {
    document.insert(path, structuredClone(valueToCopy(document.root, from)));
  },
  test({ root }, { path, value = null }) {
    const found = find(root, segmentsOf(path));
    if (!equal(found === absent ? null : found, value)) throw unprocessable();
  },
};

/** Limit of all copies in one patch, in bytes of JSON. */
const maxCopied = 3 * 1024 * 1024;

/** Limit of operations in one patch. */
export const maxOperations = 10_000;

const textMembers = ['op', 'path', 'from'] as const;

/** Checks that the members of an operation are texts. Throws the server's 400. */
function checkOperation(operation: unknown): void {
  if (operation === null) return;
  if (!isFields(operation))
    throw badRequest(`error decoding patch: ${unmarshalError(operation, 'handlers.jsonPatchOp')}`);
  for (const name of textMembers) {
    const member = operation[name];
    if (member === undefined || member === null || typeof member === 'string') continue;
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${goKind(member)} into Go struct field jsonPatchOp.${name} of type string`,
    );
  }
}

/** Returns the operations of a JSON patch body: a list, or null for none, as in Go. Throws the server's 400. */
export function operationsOf(patch: unknown): readonly Operation[] {
  if (patch === null) return [];
  if (!Array.isArray(patch))
    throw badRequest(`error decoding patch: ${unmarshalError(patch, '[]handlers.jsonPatchOp')}`);
  for (const operation of patch) checkOperation(operation);
  return patch;
}

const known = new Set(['op', 'path', 'from', 'value']);

/** Returns the problems of a JSON patch: unknown and repeated members of operations. */
export const operationProblems = (
  operations: readonly Operation[],
  duplicates: readonly string[],
): readonly string[] => [
  ...operations.flatMap((operation, index) =>
    Object.keys(operation ?? {})
      .filter((name) => !known.has(name))
      .map((name) => `json patch unknown field ${JSON.stringify(`[${index}].${name}`)}`),
  ),
  ...duplicates.map((path) => `json patch duplicate field ${JSON.stringify(path)}`),
];

/** Applies operations one after another. Throws the server's 422. */
function applyAll(result: PatchedDocument, patch: readonly Operation[], begin: (operation: Operation) => void): void {
  let bytes = 0;
  for (const operation of patch) {
    begin(operation);
    const name = isFields(operation) ? String(operation.op) : '';
    if (!Object.hasOwn(operations, name)) throw unprocessable();
    if (name === 'copy') {
      bytes += Buffer.byteLength(JSON.stringify(valueToCopy(result.root, operation.from)));
      if (bytes > maxCopied) throw unprocessable();
    }
    operations[name]!(result, operation);
  }
}

/** Makes the error of a refused operation; given the document before it. */
type ErrorOf = (operation: Operation, document: unknown) => Error;

/**
 * Applies a JSON patch (RFC 6902) as the API server does. The document is not changed; untouched parts are shared.
 * Throws the server's 422, or the error of `errorOf`.
 */
export function applyJsonPatch(document: unknown, patch: readonly Operation[], errorOf?: ErrorOf): unknown {
  const result = new PatchedDocument(document);
  let current: Operation = {};
  try {
    applyAll(result, patch, (operation) => {
      current = operation;
    });
  } catch (error) {
    throw errorOf === undefined || !(error instanceof StatusError) ? error : errorOf(current, result.root);
  }
  return result.root;
}
