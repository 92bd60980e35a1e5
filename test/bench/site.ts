import * as z from 'zod';
import {
  type ConfigMap,
  defineKind,
  type KubeObject,
  type NewObject,
  ownerReferenceTo,
  type Request,
  type StandardCondition,
} from '../../sdk/index.ts';

/** What the models under measurement reconcile. */
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

/** The finalizer of all of them. */
export const name = 'bench.dev/f';

/** A run for a site that is there. */
export type Seen = Request<Site> & { readonly object: Site };

/** The child as its author thinks of it. */
export const wanted = ({ key, object }: Seen): NewObject<ConfigMap> => ({
  metadata: key,
  data: { text: object.spec.text },
});

/** The child of a site, with the annotations that its model keeps there. */
export const childOf = (request: Seen, annotations?: Readonly<Record<string, string>>): NewObject<ConfigMap> => {
  const { metadata, ...rest } = wanted(request);
  const ownerReferences = [ownerReferenceTo(request.object)];
  return { ...rest, metadata: { ...metadata, ownerReferences, ...(annotations && { annotations }) } };
};
