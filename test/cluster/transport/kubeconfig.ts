/** Writes kubeconfigs. */

import type { Identity } from '../pki/certificate.ts';

/** Credentials of a client. */
export type ClientCredentials = { readonly token: string } | Identity;

/** Address and credentials for a client. */
export type ClientAccess = ClientCredentials & {
  readonly url: string;
  /** The authority's certificate, in PEM. */
  readonly authority: string;
};

const encode = (pem: string): string => Buffer.from(pem).toString('base64');

const userLines = (access: ClientAccess): string =>
  'token' in access
    ? `token: ${access.token}`
    : `client-certificate-data: ${encode(access.certificate)}\n    client-key-data: ${encode(access.key)}`;

/**
 * Writes a kubeconfig with one cluster, user and context. It sets a namespace for clients that otherwise have one
 * only inside a cluster.
 */
export const kubeconfigOf = (access: ClientAccess): string => `apiVersion: v1
kind: Config
clusters:
- name: in-memory
  cluster:
    server: ${access.url}
    certificate-authority-data: ${encode(access.authority)}
users:
- name: user
  user:
    ${userLines(access)}
contexts:
- name: in-memory
  context:
    cluster: in-memory
    user: user
    namespace: default
current-context: in-memory
`;
