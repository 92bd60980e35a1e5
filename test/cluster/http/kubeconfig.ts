import type { Identity } from './certificate.ts';

/** How a client says who it is. */
export type ClientCredentials = { readonly token: string } | Identity;

/** What a client must know to be let in. */
export type Access = ClientCredentials & {
  readonly url: string;
  /** The authority's certificate, in PEM. */
  readonly authority: string;
};

const encode = (pem: string): string => Buffer.from(pem).toString('base64');

const userLines = (access: Access): string =>
  'token' in access
    ? `token: ${access.token}`
    : `client-certificate-data: ${encode(access.certificate)}\n    client-key-data: ${encode(access.key)}`;

/** A kubeconfig with one cluster, one user and one context that joins them; it names a namespace for those clients that do without only inside of a cluster. */
export const kubeconfigOf = (access: Access): string => `apiVersion: v1
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
