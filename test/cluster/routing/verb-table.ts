/** Verbs by method and path. */

import { remove, removeCollection } from '../handlers/delete.ts';
import { flagOf } from '../handlers/parameters.ts';
import { patch } from '../handlers/patch/patch.ts';
import { bind } from '../handlers/pods/bind.ts';
import { connect } from '../handlers/pods/connect.ts';
import { evict } from '../handlers/pods/evict.ts';
import { log } from '../handlers/pods/log.ts';
import { get, list } from '../handlers/read.ts';
import type { Verb } from '../handlers/resource-call.ts';
import { getScale, patchScale, updateScale } from '../handlers/scale/scale.ts';
import { watch } from '../handlers/watch.ts';
import { create, update } from '../handlers/write.ts';
import type { ResourcePath } from '../requests/routes.ts';

/** Verb, and its name in discovery. */
export type VerbEntry = readonly [string, Verb];

const objectVerbs: Readonly<Record<string, VerbEntry>> = {
  GET: ['get', get],
  PUT: ['update', update],
  PATCH: ['patch', patch],
  DELETE: ['delete', remove],
};
const collectionVerbs: Readonly<Record<string, VerbEntry>> = {
  GET: ['list', list],
  POST: ['create', create],
  DELETE: ['deletecollection', removeCollection],
};
const scaleVerbs: Readonly<Record<string, VerbEntry>> = {
  GET: ['get', getScale],
  PUT: ['update', updateScale],
  PATCH: ['patch', patchScale],
};

/** Content of answers that are not a single object, by verb. */
export const responseContentOf: Readonly<Record<string, 'list' | 'collection' | 'watch'>> = {
  list: 'list',
  deletecollection: 'collection',
  watch: 'watch',
};

const streamVerbs: Readonly<Record<string, VerbEntry>> = { GET: ['get', connect], POST: ['create', connect] };
const proxyVerbs: Readonly<Record<string, VerbEntry>> = {
  ...streamVerbs,
  HEAD: ['get', connect],
  OPTIONS: ['get', connect],
  PUT: ['update', connect],
  PATCH: ['patch', connect],
  DELETE: ['delete', connect],
};

/** Verbs of each served subresource. */
const subresourceVerbs: Readonly<Record<string, Readonly<Record<string, VerbEntry>>>> = {
  status: objectVerbs,
  finalize: objectVerbs,
  ephemeralcontainers: objectVerbs,
  resize: objectVerbs,
  scale: scaleVerbs,
  approval: objectVerbs,
  binding: { POST: ['create', bind] },
  eviction: { POST: ['create', evict] },
  log: { GET: ['get', log] },
  exec: streamVerbs,
  attach: streamVerbs,
  portforward: streamVerbs,
  proxy: proxyVerbs,
};

/** Returns the verb of a method at a path; undefined when there is none. */
export function verbEntryOf(path: ResourcePath, method: string, query: URLSearchParams): VerbEntry | undefined {
  if (path.legacyWatch) return method === 'GET' ? ['watch', watch] : undefined;
  if (path.subresource !== undefined) return subresourceVerbs[path.subresource]?.[method];
  if (path.name !== undefined) return objectVerbs[method];
  return method === 'GET' && flagOf(query, 'watch') ? ['watch', watch] : collectionVerbs[method];
}
