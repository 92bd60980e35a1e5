import { goJson } from '../go-json.ts';
import { type ResourceInfo, rootOf } from '../kinds/resource-info.ts';
import type { Fields } from '../objects/object.ts';
import { openApiDocument, type Sources } from './document.ts';
import { pageDocument, pageRoots } from './pages.ts';
import { upstreamTexts } from './upstream-texts.ts';

/** A document in all its forms, each made when it is first asked for. */
export interface Made {
  readonly json: string;
  protobuf(): Promise<Uint8Array>;
}

/** Makes OpenAPI documents, and keeps them as long as what they describe is the same. */
export interface Documents {
  /** The v3 document at a root, when this is served there; none has resources that is a page's. */
  version3(root: string, infos: readonly ResourceInfo[]): Made;
  /** One v2 document of all that is served. */
  version2(infos: readonly ResourceInfo[]): Promise<Fields>;
}

interface Kept {
  readonly infos: readonly ResourceInfo[];
  readonly made: Made;
}

const isSame = (one: readonly ResourceInfo[], other: readonly ResourceInfo[]): boolean =>
  one.length === other.length && one.every((info, index) => info === other[index]);

function madeOf(document: Fields): Made {
  const json = goJson(document);
  let bytes: Promise<Uint8Array> | undefined;
  return {
    json,
    protobuf() {
      bytes ??= import('./gnostic3.ts').then(({ gnostic3Of }) => gnostic3Of(JSON.parse(json) as Fields));
      return bytes;
    },
  };
}

/** The paths that have a v3 document, in order, when this is served. */
export function documentRoots(infos: readonly ResourceInfo[]): readonly string[] {
  const groups = infos.filter(({ custom }) => custom === undefined).map(({ group }) => group);
  return [...new Set([...infos.map(rootOf), ...pageRoots(groups)])].sort();
}

/** Documents of a server of this version; upstream's texts are read when they are first needed. */
export function createDocuments(sources: Omit<Sources, 'texts'>, texts = upstreamTexts()): Documents {
  const kept = new Map<string, Kept>();
  const all: Sources = { ...sources, texts };
  const documentAt = (root: string, infos: readonly ResourceInfo[]): Fields =>
    infos.length === 0 ? pageDocument(root, all) : openApiDocument(infos, all);
  return {
    version3(root, infos) {
      const known = kept.get(root);
      if (known !== undefined && isSame(known.infos, infos)) return known.made;
      const made = madeOf(documentAt(root, infos));
      kept.set(root, { infos, made });
      return made;
    },
    async version2(infos) {
      const { openApiV2 } = await import('./version2.ts');
      const served = Map.groupBy(infos, rootOf);
      const roots = documentRoots(infos);
      return openApiV2(
        roots.map((root) => documentAt(root, served.get(root) ?? [])),
        sources.version,
      );
    },
  };
}
