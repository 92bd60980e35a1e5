/** Decodes the request bodies of subresources. */

import type { Draft } from '../apimachinery/object.ts';
import { badRequest, StatusError } from '../apimachinery/status.ts';
import { subresourceInfo } from '../resources/subresource-info.ts';
import { decodeBody, namespaceMismatch } from './decode.ts';
import type { WriteOptions } from './parameters.ts';
import type { Call } from './resource-call.ts';

/** Kinds of the bodies of subresources. */
const subresourceKinds = {
  Binding: subresourceInfo('', 'Binding', 'core.Binding'),
  Eviction: subresourceInfo('policy', 'Eviction', 'policy.Eviction'),
  Scale: subresourceInfo('autoscaling', 'Scale', 'autoscaling.Scale'),
} as const;

const unregistered = (kind: string): StatusError =>
  badRequest(`no kind is registered for the type v1.${kind} in scheme "pkg/runtime/scheme.go:110"`);

/** Decodes the body of a write to a subresource, as strictly as any other. Rejects with the server's 400, 413 and 415. */
export async function readSubresourceBody(
  call: Call,
  kind: keyof typeof subresourceKinds,
  options: WriteOptions,
): Promise<Draft> {
  const info = subresourceKinds[kind];
  const apiVersion = info.group === '' ? info.version : `${info.group}/${info.version}`;
  const resource = { ...call.resource, info, apiVersion };
  try {
    return await decodeBody({ ...call, resource }, await call.server.scheme.load(info), options);
  } catch (error) {
    // The server of custom resources reports these kinds as unregistered when decoding fails.
    const isBad = error instanceof StatusError && error.code === 400 && error.message !== namespaceMismatch;
    throw isBad && call.resource.info.custom !== undefined ? unregistered(kind) : error;
  }
}
