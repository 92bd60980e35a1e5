/** The kind that the models under measurement reconcile. */

import * as z from 'zod';
import {
  type ConfigMap,
  defineKind,
  type KubeObject,
  type NewObject,
  ownerReferenceTo,
  type Request,
  type StandardCondition,
} from '../../../../sdk/index.ts';

/** Object that the models under measurement reconcile. */
export interface Site extends KubeObject {
  readonly spec: { readonly text: string };
  readonly status?: { readonly conditions?: readonly StandardCondition[] };
}

export const Site = defineKind<Site>({
  group: 'bench.dev',
  version: 'v1',
  kind: 'Site',
  schema: () =>
    z.object({
      spec: z.object({ text: z.string() }),
      status: z.object({ conditions: z.array(z.looseObject({ type: z.string() })).optional() }).optional(),
    }),
});

/** Finalizer of all models. */
export const name = 'bench.dev/f';

/** Request for an existing site. */
export type Seen = Request<Site> & { readonly object: Site };

/** The child's desired state. */
export const wanted = ({ key, object }: Seen): NewObject<ConfigMap> => ({
  metadata: key,
  data: { text: object.spec.text },
});

/** The child of a site, with the annotations of its model. */
export const childOf = (request: Seen, annotations?: Readonly<Record<string, string>>): NewObject<ConfigMap> => {
  const { metadata, ...rest } = wanted(request);
  const ownerReferences = [ownerReferenceTo(request.object)];
  return { ...rest, metadata: { ...metadata, ownerReferences, ...(annotations && { annotations }) } };
};
