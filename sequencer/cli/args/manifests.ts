/** Reads the objects of YAML and JSON files. */

import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Document } from 'yaml';
import { isJsonObject, type KubeObject, keyOf, messageOf, UserError } from '../../../sdk/index.ts';

/** Object of a file, with its position. */
export interface LocatedManifest {
  readonly object: KubeObject;
  /** `FILE:LINE`, for messages. */
  readonly where: string;
}

function objectOf(value: unknown, where: string): KubeObject {
  const refuse = (what: string): never => {
    throw new UserError('E#2004', `${where}: ${what}`, {
      hint: 'every document is one object with apiVersion, kind and metadata.name',
    });
  };
  if (!isJsonObject(value))
    return refuse(`not a Kubernetes object, but ${Array.isArray(value) ? 'a list' : typeof value}`);
  const { apiVersion, kind, metadata } = value;
  if (typeof apiVersion !== 'string') return refuse('apiVersion is missing');
  if (typeof kind !== 'string') return refuse('kind is missing');
  if (!isJsonObject(metadata) || typeof metadata.name !== 'string')
    return refuse(`metadata.name of this ${kind} is missing, or is not a string`);
  return value as unknown as KubeObject;
}

/** Resolves the aliases and merges of a document. @throws UserError E#2003 for one that cannot be resolved */
function documentValueOf(document: Document.Parsed, where: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw new UserError('E#2003', `${where}: invalid YAML: ${messageOf(error)}`, {
      hint: 'put quotes around a text that begins with * or &; define an anchor above its aliases in this document, and merge only mappings (<<)',
      cause: error,
    });
  }
}

const itemsOf = (value: unknown): readonly unknown[] =>
  isJsonObject(value) && value.kind === 'List' && Array.isArray(value.items) ? value.items : [value];

/**
 * Parses the objects of one or more YAML (or JSON) documents; a `List` is replaced by its items, empty documents are skipped.
 * @throws UserError E#2003 with file and position for invalid YAML, E#2004 for a document that is not an object
 */
export async function parseManifests(content: string, file: string): Promise<readonly LocatedManifest[]> {
  const { LineCounter, parseAllDocuments } = await import('yaml');
  const lineCounter = new LineCounter();
  const parsed = parseAllDocuments(content, { lineCounter, prettyErrors: false, merge: true });
  const manifests = [...parsed].flatMap((document): readonly LocatedManifest[] => {
    const [error] = document.errors;
    if (error !== undefined) {
      const { line, col } = lineCounter.linePos(error.pos[0]);
      throw new UserError('E#2003', `${file}:${line}:${col}: invalid YAML: ${error.message}`, {
        hint: 'fix it there: usually an indentation, a bracket or a quotation mark in that line or the one above it',
        cause: error,
      });
    }
    if (document.contents === null) return [];
    const where = `${file}:${lineCounter.linePos(document.contents.range?.[0] ?? 0).line}`;
    const value = documentValueOf(document, where);
    return value === null ? [] : itemsOf(value).map((item) => ({ object: objectOf(item, where), where }));
  });
  if (manifests.length === 0) throw new UserError('E#2004', `${file}: there is no object in it`);
  return manifests;
}

async function contentOf(file: string, stdin: NodeJS.ReadableStream): Promise<string> {
  if (file === '-') return text(stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UserError('E#2002', `cannot read ${file}: ${messageOf(error)}`, {
      hint: 'name a YAML file, or - for standard input',
      cause: error,
    });
  }
}

/** Refuses two objects of one name. @throws UserError E#2004 */
function refuseDuplicates(manifests: readonly LocatedManifest[]): readonly LocatedManifest[] {
  const first = new Map<string, string>();
  for (const { object, where } of manifests) {
    const { apiVersion, kind, metadata } = object;
    const name = `${kind} ${keyOf(metadata)}`;
    const earlier = first.get(`${apiVersion} ${name}`);
    if (earlier !== undefined)
      throw new UserError('E#2004', `${where}: there is a second ${name}; the first is at ${earlier}`, {
        hint: 'give one of them another name, or remove it: the second would be merged into the first',
      });
    first.set(`${apiVersion} ${name}`, where);
  }
  return manifests;
}

/** Reads the objects of all files in order; `-` is `stdin`. @throws UserError as {@link parseManifests}, E#2002 for an unreadable file, E#2004 for two of one name */
export async function readManifests(
  files: readonly string[],
  stdin: NodeJS.ReadableStream,
): Promise<readonly LocatedManifest[]> {
  const all: LocatedManifest[] = [];
  for (const file of files)
    all.push(...(await parseManifests(await contentOf(file, stdin), file === '-' ? 'standard input' : file)));
  return refuseDuplicates(all);
}
