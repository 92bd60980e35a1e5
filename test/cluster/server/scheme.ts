/** Rules of kinds and documents of the API, as the server loads them. */

import type { Fields } from '../apimachinery/object.ts';
import type { ResourceInfo } from '../apimachinery/resource-info.ts';
import type { TypeTable } from '../resources/type-table.ts';
import type { KindRules } from './kind-rules.ts';

/** Document in all encodings, each made on first use. */
export interface EncodedDocument {
  readonly json: string;
  protobuf(): Promise<Uint8Array>;
}

/** Builds OpenAPI documents and caches them while their resources are unchanged. */
export interface OpenApiDocuments {
  /** Returns the v3 document at a root; `infos` are its served resources, none for a page. */
  version3(root: string, infos: readonly ResourceInfo[]): EncodedDocument;
  /** Returns the v2 document of all served resources. */
  version2(infos: readonly ResourceInfo[]): Promise<Fields>;
}

/** Rules of all kinds, each loaded on first use. */
export interface Scheme {
  /** Loads the rules of a resource. */
  load(info: ResourceInfo): Promise<KindRules>;
  /** Returns the rules of a resource if they are loaded. */
  loaded(info: ResourceInfo): KindRules | undefined;
  /** Loads all built-in types. */
  types(): Promise<TypeTable>;
  /** Loads the generator of OpenAPI documents. */
  documents(): Promise<OpenApiDocuments>;
}
