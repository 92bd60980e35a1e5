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

/** A copy of the document in which `change` was applied to the container of the last segment. */
function changed(
  document: unknown,
  segments: readonly string[],
  change: (container: unknown, last: string) => unknown,
): unknown {
  const [segment, ...rest] = segments;
  if (segment === undefined) throw unprocessable();
  if (rest.length === 0) return change(document, segment);
  const member = memberOf(document, segment);
  if (member === absent) throw unprocessable();
  const next = changed(member, rest, change);
  if (Array.isArray(document)) return document.with(indexOf(segment, document.length), next);
  return { ...(document as Fields), [segment]: next };
}

function added(container: unknown, segment: string, value: unknown): unknown {
  if (Array.isArray(container)) {
    const index = segment === '-' ? container.length : indexOf(segment, container.length + 1);
    if (index > container.length) throw unprocessable();
    return container.toSpliced(index, 0, value);
  }
  if (!isFields(container)) throw unprocessable();
  return { ...container, [segment]: value };
}

function removed(container: unknown, segment: string): unknown {
  if (memberOf(container, segment) === absent) throw unprocessable();
  if (Array.isArray(container)) return container.toSpliced(indexOf(segment, container.length), 1);
  const { [segment]: _gone, ...others } = container as Fields;
  return others;
}

/** Replacing a member that is not there adds it, as the server does; an index must be there. */
function replaced(container: unknown, segment: string, value: unknown): unknown {
  if (!Array.isArray(container)) return added(container, segment, value);
  if (memberOf(container, segment) === absent) throw unprocessable();
  return container.with(indexOf(segment, container.length), value);
}

/** Nothing can be put in the place of the whole document. */
const add = (document: unknown, segments: readonly string[], value: unknown): unknown =>
  changed(document, segments, (container, last) => added(container, last, value));

/** What stands at a path that is not the whole document. */
function taken(document: unknown, from: unknown): unknown {
  const segments = segmentsOf(from);
  if (segments.length === 0) throw unprocessable();
  return find(document, segments);
}

function present(document: unknown, from: unknown): unknown {
  const value = taken(document, from);
  if (value === absent) throw unprocessable();
  return value;
}

/** A member that is not there is copied as null; an item must be there. */
function copied(document: unknown, from: unknown): unknown {
  const value = taken(document, from);
  if (value !== absent) return value;
  if (Array.isArray(find(document, segmentsOf(from).slice(0, -1)))) throw unprocessable();
  return null;
}

const operations: Record<string, (document: unknown, operation: Operation) => unknown> = {
  add: (document, { path, value }) => add(document, segmentsOf(path), value ?? null),
  remove: (document, { path }) => changed(document, segmentsOf(path), removed),
  replace: (document, { path, value }) => {
    const segments = segmentsOf(path);
    if (segments.length === 0) return value ?? null;
    return changed(document, segments, (container, last) => replaced(container, last, value ?? null));
  },
  move: (document, { from, path }) => {
    const value = present(document, from);
    return add(changed(document, segmentsOf(from), removed), segmentsOf(path), value);
  },
  copy: (document, { from, path }) => add(document, segmentsOf(path), copied(document, from)),
  test: (document, { path, value }) => {
    const found = find(document, segmentsOf(path));
    if (!equal(found === absent ? null : found, value ?? null)) throw unprocessable();
    return document;
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
  let result = document;
  let bytes = 0;
  for (const operation of patch) {
    const apply = isFields(operation) ? operations[String(operation.op)] : undefined;
    if (apply === undefined) throw unprocessable();
    if (operation.op === 'copy') {
      bytes += Buffer.byteLength(JSON.stringify(copied(result, operation.from)));
      if (bytes > mostCopied) throw unprocessable();
    }
    result = apply(result, operation);
  }
  return result;
}
