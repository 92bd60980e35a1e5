/** Responses as `meta.k8s.io` Table. */

import { goJson } from '../apimachinery/go/go-json.ts';
import type { ApiObject, Fields } from '../apimachinery/object.ts';
import { badRequest } from '../apimachinery/status.ts';
import { jsonLines } from '../requests/watch-framing.ts';
import type { Resource } from '../resources/registry.ts';
import type { ServerContext } from '../server/server-context.ts';
import type { Form } from './negotiation.ts';
import type { Representation } from './representation.ts';
import type { IncludeObject, TableOptions } from './table/table.ts';

const includes: ReadonlySet<string> = new Set(['None', 'Metadata', 'Object', '']);

function includeObjectOf(query: URLSearchParams): IncludeObject {
  const text = query.get('includeObject') ?? '';
  if (!includes.has(text))
    throw badRequest(
      `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(text)}: must be 'Metadata', 'Object', 'None', or empty`,
    );
  return text === '' ? 'Metadata' : (text as IncludeObject);
}

/** Represents objects as rows of a table. Ages change, so nothing is cached. Throws the server's 400. */
export async function tableForm(
  { clock, profile }: ServerContext,
  { version }: Form,
  query: URLSearchParams,
): Promise<Representation> {
  const includeObject = includeObjectOf(query);
  const { tableOf } = await import('./table/table.ts');
  const text = (
    { info }: Resource,
    objects: readonly ApiObject[],
    more: Pick<TableOptions, 'metadata' | 'withColumns'>,
  ): string =>
    goJson(
      tableOf(info, objects as unknown as readonly Fields[], {
        now: clock.now(),
        includeObject,
        columns: profile.changes.columns,
        version: version as 'v1',
        ...more,
      }),
    );
  const event = (resource: Resource, object: ApiObject, withColumns: boolean): string => {
    const metadata = { resourceVersion: object.metadata.resourceVersion };
    return text(resource, [object], { metadata, withColumns });
  };
  return {
    framing: jsonLines,
    object: (resource, object) => event(resource, object, true),
    list: (resource, objects, metadata) => text(resource, objects, { metadata: { ...metadata } }),
    event: (resource, type, object) => Buffer.from(`{"type":"${type}","object":${event(resource, object, false)}}\n`),
    firstEvent: (resource, type, object) =>
      Buffer.from(`{"type":"${type}","object":${event(resource, object, true)}}\n`),
  };
}
