/** Reads paginated lists. */

import type { Kind } from '../../api/kind.ts';
import type { KubeObject } from '../../api/object.ts';
import { ExpiredError } from '../../errors.ts';
import { type CallOptions, callDefaults, type ListOptions, type ObjectList } from '../client.ts';
import { decodeObject } from './decode-object.ts';
import { textDepth } from './managed-fields.ts';
import { withQuery } from './paths.ts';

interface ListPage<T> {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly T[] | null;
}

/** Collection that {@link listAll} reads. */
export interface ListSource<T extends KubeObject> {
  readonly kind: Kind<T>;
  /** Path of the collection. */
  readonly collection: string;
  readonly json: (
    call: {
      readonly method: string;
      readonly path: string;
      readonly depth: number;
      readonly headers?: Readonly<Record<string, string>>;
    },
    options: CallOptions,
  ) => Promise<unknown>;
}

const asMetadata = {
  accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
};

async function readPages<T extends KubeObject>(source: ListSource<T>, options: ListOptions): Promise<ObjectList<T>> {
  const { labels, fields, pageSize = callDefaults.pageSize, consistency = 'latest', answer, ...call } = options;
  const query = { labelSelector: labels, fieldSelector: fields, limit: pageSize };
  const items: T[] = [];
  let token: string | undefined;
  let resourceVersion: string;
  do {
    // A continue token includes the version; servers reject both together.
    const version = token === undefined && consistency === 'any' ? '0' : undefined;
    const path = withQuery(source.collection, { ...query, resourceVersion: version, continue: token });
    const request = {
      method: 'GET',
      path,
      depth: textDepth.list,
      ...(answer === 'metadata' && { headers: asMetadata }),
    };
    const page = (await source.json(request, call)) as ListPage<T>;
    for (const item of page.items ?? []) items.push(decodeObject(source.kind, item));
    resourceVersion = page.metadata.resourceVersion;
    token = page.metadata.continue || undefined;
  } while (token !== undefined);
  return { items, resourceVersion };
}

/** Reads all pages of a list; starts over once if its continue token has expired. */
export async function listAll<T extends KubeObject>(
  source: ListSource<T>,
  options: ListOptions,
): Promise<ObjectList<T>> {
  try {
    return await readPages(source, options);
  } catch (error) {
    if (!(error instanceof ExpiredError)) throw error;
    return readPages(source, options);
  }
}
