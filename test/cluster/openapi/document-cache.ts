/** Caches OpenAPI documents. */

import { goJson } from '../apimachinery/go/go-json.ts';
import type { Fields } from '../apimachinery/object.ts';
import { type ResourceInfo, rootOf } from '../apimachinery/resource-info.ts';
import type { EncodedDocument, OpenApiDocuments } from '../server/scheme.ts';
import { openApiDocument, type Sources } from './document.ts';
import { pageDocument, pageRoots } from './non-resource-documents.ts';
import { upstreamTexts } from './upstream-descriptions.ts';

interface CacheEntry {
  readonly infos: readonly ResourceInfo[];
  readonly made: EncodedDocument;
}

const isSame = (one: readonly ResourceInfo[], other: readonly ResourceInfo[]): boolean =>
  one.length === other.length && one.every((info, index) => info === other[index]);

function madeOf(document: Fields): EncodedDocument {
  const json = goJson(document);
  let bytes: Promise<Uint8Array> | undefined;
  return {
    json,
    protobuf() {
      bytes ??= import('./gnostic-v3.ts').then(({ gnostic3Of }) => gnostic3Of(JSON.parse(json) as Fields));
      return bytes;
    },
  };
}

/** Returns the sorted roots of all v3 documents for the served resources. */
export function documentRoots(infos: readonly ResourceInfo[]): readonly string[] {
  const groups = infos.filter(({ custom }) => custom === undefined).map(({ group }) => group);
  return [...new Set([...infos.map(rootOf), ...pageRoots(groups)])].sort();
}

/** Creates the documents of a server version; upstream's texts are read on first use. */
export function createDocuments(sources: Omit<Sources, 'texts'>, texts = upstreamTexts()): OpenApiDocuments {
  // Keyed by the first resource, so that the documents of definitions are freed with it.
  const kept = new WeakMap<ResourceInfo, CacheEntry>();
  const pages = new Map<string, EncodedDocument>();
  const all: Sources = { ...sources, texts };
  const pageAt = (root: string): EncodedDocument => {
    const made = pages.get(root) ?? madeOf(pageDocument(root, all));
    pages.set(root, made);
    return made;
  };
  const version3 = (root: string, infos: readonly ResourceInfo[]): EncodedDocument => {
    const [first] = infos;
    if (first === undefined) return pageAt(root);
    const known = kept.get(first);
    if (known !== undefined && isSame(known.infos, infos)) return known.made;
    const made = madeOf(openApiDocument(infos, all));
    kept.set(first, { infos, made });
    return made;
  };
  return {
    version3,
    async version2(infos) {
      const { openApiV2 } = await import('./version2.ts');
      const served = Map.groupBy(infos, rootOf);
      const documents = documentRoots(infos).map((root) => version3(root, served.get(root) ?? []));
      return openApiV2(
        documents.map(({ json }) => JSON.parse(json) as Fields),
        sources.version,
      );
    },
  };
}
