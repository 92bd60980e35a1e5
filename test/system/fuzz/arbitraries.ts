/** Random requests. */

import fc from 'fast-check';
import { bytes } from './bodies.ts';
import { place, query } from './paths.ts';

/** A request for fuzzing, mostly an invalid one. */
export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Base64, so that it can be kept in a file. */
  readonly body?: string;
}

/** A request such as `POST /api/v1/namespaces` with a JSON body. */
export function requestOf(line: string, body: unknown, type = 'application/json'): FuzzRequest {
  const [method = '', path = ''] = line.split(' ');
  const base64 = Buffer.from(JSON.stringify(body)).toString('base64');
  return { method, path, headers: { 'content-type': type }, body: base64 };
}

const contentType = fc.constantFrom(
  'application/json',
  'application/yaml',
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
  'text/plain',
  ';;',
);
const accept = fc.constantFrom(
  'application/json',
  'application/yaml',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  'application/vnd.kubernetes.protobuf',
  'text/html',
  ';q=x,,*/*;q=',
);
const headers = fc.record(
  {
    'content-type': contentType,
    accept,
    'user-agent': fc.constantFrom('fuzz/1', '', '/'),
    'impersonate-user': fc.constantFrom('jane', '', 'system:serviceaccount:a:b'),
    'impersonate-group': fc.constantFrom('devs', ''),
    'if-none-match': fc.constantFrom('"x"', '*'),
    'accept-encoding': fc.constantFrom('gzip', 'br'),
  },
  { requiredKeys: ['content-type'] },
);

/** Any request. */
export const anyRequest: fc.Arbitrary<FuzzRequest> = fc
  .tuple(
    fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE'),
    fc.tuple(place, query),
    headers,
    fc.option(bytes, { nil: undefined, freq: 3 }),
  )
  .map(([method, [path, text], given, body]) => ({
    method,
    path: path + text,
    headers: given,
    ...(body !== undefined && method !== 'GET' && method !== 'HEAD' && { body: body.toString('base64') }),
  }));
