import { createHash } from 'node:crypto';
import { canonicalJson } from '../api/digest.ts';
import { group, type Workspace } from '../api/workspace.ts';
import type { Ref } from './integration.ts';
import type { MirrorRecord } from './mirror-record.ts';
import type { Seal } from './seal.ts';

/** The annotation that keeps the ids of a condition a second time: status may be lost in a restore, annotations in a replace; either is enough. */
export const mirrorAnnotation = (type: string): string => `external.${group}/${type}`;

/** The annotation of one page of ids, counted from 1. */
const pageAnnotation = (type: string, page: number): string => `external-${page}.${group}/${type}`;

/** The beginning of the name of every mirror and page, as an RE2 expression. */
export const mirrorAnnotationPattern = `^external(-[0-9]+)?[.]${group.replaceAll('.', '[.]')}/`;

const pattern = new RegExp(mirrorAnnotationPattern);

/** Whether an annotation is the mirror of a condition, or a page of one. */
export const isMirrorAnnotation = (annotation: string): boolean => pattern.test(annotation);

/** Ids of one page. The mirror itself holds the newest ids, up to as many. */
const pageSize = 16;

/** Identifies the text of a page; 128 bits of SHA-256. */
const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);

/** The record as its annotation holds it: with the newest ids, and the digests of the pages of those before them. */
export type MirrorHead = MirrorRecord & { readonly pages?: readonly string[] };

/**
 * The annotations for a record: the signed mirror, and a page for each sixteen ids before its newest ones. The signature covers the digest of each page,
 * so that none can be exchanged. What does not change of many ids is not written again with each of them.
 */
export function mirrorTexts(seal: Seal, record: MirrorRecord): Readonly<Record<string, string>> {
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

/** The mirror of a condition and its pages, as far as they are there. */
export function mirrorTextsOf({ metadata }: Workspace, type: string): Readonly<Record<string, string>> {
  const all = Object.entries(metadata.annotations ?? {});
  const isOfType = (annotation: string): boolean => annotation.slice(annotation.indexOf('/') + 1) === type;
  return Object.fromEntries(all.filter(([name]) => isMirrorAnnotation(name) && isOfType(name)));
}

/** The whole record of a head; undefined where a page is missing, or is not the one that was signed. */
export function wholeRecord(
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
