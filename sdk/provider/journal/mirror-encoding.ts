/** Stores the mirror of a condition in annotations, in pages. */

import { canonicalJson } from '../../api/digest.ts';
import { group, type Workspace } from '../../api/workspace.ts';
import { nodeCrypto } from '../../node-builtins.ts';
import type { Ref } from '../contract/integration.ts';
import type { Seal } from '../host/seal.ts';
import type { MirrorRecord } from './read-mirror.ts';

/** Returns the annotation that mirrors the ids of a condition. A restore may lose the status, a replace the annotations: one of them suffices. */
export const mirrorAnnotation = (type: string): string => `external.${group}/${type}`;

/** Returns the conditions that have a mirror, valid or not. */
export function mirroredTypes({ metadata }: Workspace): readonly string[] {
  const prefix = mirrorAnnotation('');
  const names = Object.keys(metadata.annotations ?? {});
  return names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
}

/** Returns the annotation of one page of ids, counted from 1. */
const pageAnnotation = (type: string, page: number): string => `external-${page}.${group}/${type}`;

/** Prefix of the names of all mirrors and pages, as an RE2 expression. */
export const mirrorAnnotationPattern = `^external(-[0-9]+)?[.]${group.replaceAll('.', '[.]')}/`;

const pattern = new RegExp(mirrorAnnotationPattern);

/** Reports whether an annotation is the mirror of a condition, or a page of one. */
export const isMirrorAnnotation = (annotation: string): boolean => pattern.test(annotation);

/** Ids per page. The mirror itself holds the newest ids, up to that number. */
const pageSize = 16;

/** Digest of a page: 128 bits of SHA-256. */
const digestOf = (text: string): string =>
  nodeCrypto().createHash('sha256').update(text).digest('base64url').slice(0, 22);

/** Record as its annotation holds it: with the newest ids, and the digests of the pages of older ones. */
export type MirrorHead = MirrorRecord & { readonly pages?: readonly string[] };

/**
 * Returns the annotations of a record: the signed mirror, and a page for each sixteen ids before its newest ones. The signature covers the digests of
 * the pages, so that none can be exchanged. Unchanged pages are not written again.
 */
export function encodeMirror(seal: Seal, record: MirrorRecord): Readonly<Record<string, string>> {
  const { refs, condition } = record;
  const full = Math.max(0, Math.ceil(refs.length / pageSize) - 1);
  const pages = Array.from({ length: full }, (_, page) =>
    JSON.stringify(refs.slice(page * pageSize, (page + 1) * pageSize)),
  );
  const head: MirrorHead = {
    ...record,
    refs: refs.slice(full * pageSize),
    ...(full > 0 && { pages: pages.map(digestOf) }),
  };
  const plain = JSON.parse(JSON.stringify(head)) as MirrorHead;
  const named = pages.map((text, page) => [pageAnnotation(condition, page + 1), text] as const);
  return {
    [mirrorAnnotation(condition)]: JSON.stringify({ ...plain, seal: seal.sign(canonicalJson(plain)) }),
    ...Object.fromEntries(named),
  };
}

/** Returns the existing annotations of a condition's mirror and its pages. */
export function storedMirrorTexts({ metadata }: Workspace, type: string): Readonly<Record<string, string>> {
  const all = Object.entries(metadata.annotations ?? {});
  const isOfType = (annotation: string): boolean => annotation.slice(annotation.indexOf('/') + 1) === type;
  return Object.fromEntries(all.filter(([name]) => isMirrorAnnotation(name) && isOfType(name)));
}

/** Assembles the record of a head and its pages; undefined if a page is missing or does not match its digest. */
export function decodeMirror(
  { metadata: { annotations = {} } }: Workspace,
  type: string,
  { pages = [], ...head }: MirrorHead,
): MirrorRecord | undefined {
  if (!Array.isArray(pages)) return undefined;
  const refs: Ref[] = [];
  for (const [index, digest] of pages.entries()) {
    const text = annotations[pageAnnotation(type, index + 1)];
    if (text === undefined || digestOf(text) !== digest) return undefined;
    refs.push(...(JSON.parse(text) as readonly Ref[]));
  }
  return pages.length === 0 ? head : { ...head, refs: [...refs, ...head.refs] };
}
