/** A kind of two versions, and reviews of its objects. */

import { z } from 'zod';
import { defineKind, type KubeObject } from '../../../../sdk/index.ts';

/** Site of the latest version. */
export interface Site extends KubeObject {
  readonly spec: { readonly hosts: readonly string[]; readonly replicas?: number };
}

/** Site of the first version, which had one host. */
export interface OldSite extends KubeObject {
  readonly spec: { readonly host: string };
}

const group = 'example.com';

/** Latest version. */
export const Site = defineKind<Site>({
  group,
  version: 'v2',
  kind: 'Site',
  schema: () => z.object({ spec: z.object({ hosts: z.array(z.string()), replicas: z.number().optional() }) }),
});

/** First version. */
export const OldSite = defineKind<OldSite>({
  group,
  version: 'v1',
  kind: 'Site',
  schema: () => z.object({ spec: z.object({ host: z.string() }) }),
});

/** Returns a site named `shop`. */
export const aSite = (spec: Site['spec'] = { hosts: ['shop.example.com'] }): Site => ({
  apiVersion: 'example.com/v2',
  kind: 'Site',
  metadata: { name: 'shop', namespace: 'default', uid: 'u1' },
  spec,
});

/** Returns an AdmissionReview as API servers send it. */
export const aReview = (object: object | undefined, more: object = {}) => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: {
    uid: 'r1',
    kind: { group, version: 'v2', kind: 'Site' },
    resource: { group, version: 'v2', resource: 'sites' },
    name: 'shop',
    namespace: 'default',
    operation: 'CREATE',
    userInfo: { username: 'jane', groups: ['people'] },
    object: object ?? null,
    oldObject: null,
    dryRun: false,
    ...more,
  },
});

/** Returns a ConversionReview as API servers send it. */
export const aConversion = (objects: readonly object[], desiredAPIVersion: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'ConversionReview',
  request: { uid: 'c1', desiredAPIVersion, objects },
});
